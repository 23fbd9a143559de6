"""Custody of the keys in a database of their own, which others guard (GB/T 37964 4.2 c)."""
