"""``deid attack``: a result attacked as an insider or a motivated intruder would (GB/T 37964 5.5.2 d, e)."""
