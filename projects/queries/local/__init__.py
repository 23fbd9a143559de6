"""Answers that devices have randomised before they were collected (B.2.3): read once, and what they say of many."""
