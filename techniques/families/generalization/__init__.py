"""Generalisation (GB/T 37964 A.5)."""
