"""``deid profile``: what the columns of a table hold, without a value of it."""
