"""``deid query``: questions to a table that are answered with noise and paid from an account."""
