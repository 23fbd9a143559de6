"""Randomisation (GB/T 37964 A.6): noise, permutation, microaggregation."""
