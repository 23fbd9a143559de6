"""Whose rows a table holds (B.1): one row is one person, or a key by which several rows are of one."""
