"""Who leaves the organisation (GB/T 37964 6.2 e): access ends at once, and what they had in hand is handed over."""
