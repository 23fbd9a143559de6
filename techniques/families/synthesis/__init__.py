"""Synthesis (GB/T 37964 A.7): values and rows that are made up, alike in the whole and true of nobody."""
