"""Targets for risk and usefulness (GB/T 37964 5.2.3)."""
