"""The relatives of a release: other releases that tell of the same persons, and what they tell together (GB/T 37964 annex D)."""
