"""Suppression (GB/T 37964 A.3)."""
