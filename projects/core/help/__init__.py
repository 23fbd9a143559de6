"""Help that is made from what the portal knows of itself."""
