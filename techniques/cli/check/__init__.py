"""``deid check``: a table against a written policy, with one verdict."""
