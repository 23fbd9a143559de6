"""``deid local``: answers that were randomised before they left those who gave them (GB/T 37964-2019 B.2.3)."""
