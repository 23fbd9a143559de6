"""Scans of the papers behind records of staff (GB/T 37964 6.2)."""
