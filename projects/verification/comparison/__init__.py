"""Candidate runs side by side by the same measures."""
