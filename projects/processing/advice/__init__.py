"""Advice on techniques (GB/T 37964 5.4.3): thirteen questions and a ranking."""
