"""The supervisor has a sample of a result's records drawn, looks through it and says what was found (T/ISC 0078 8.1 c)."""
