"""``deid levels``: protection levels that persons ask for (GB/T 37964 A.5.1)."""
