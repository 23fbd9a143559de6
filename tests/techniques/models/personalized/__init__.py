"""Personalized (α,l)-diversity k-anonymity."""
