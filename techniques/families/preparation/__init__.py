"""Preparation before treatment (GB/T 37964 5.4.2)."""
