"""Carrying a recipe out: the files that a run makes beside its result, and its report."""
