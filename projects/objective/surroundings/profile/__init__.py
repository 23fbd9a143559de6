"""The profile of the surroundings: what recipients may do there, and what keeps the protections that are ticked (T/ISC 0078 11.2 b)."""
