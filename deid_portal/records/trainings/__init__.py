"""Trainings as they are planned, who attended them and who passed their test (6.2 d)."""
