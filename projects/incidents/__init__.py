"""What went wrong with data that were given out: reported by anybody, stopped, put right, notified, learned from (PIPL 57)."""
