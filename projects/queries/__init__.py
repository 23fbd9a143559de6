"""Answers from the data themselves, with differential privacy and from an account (GB/T 37964 B.2.2: server mode)."""
