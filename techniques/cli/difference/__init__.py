"""``deid diff``: what changed from one table to another, without a value of either."""
