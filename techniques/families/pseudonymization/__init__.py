"""Pseudonymisation (GB/T 37964 A.4)."""
