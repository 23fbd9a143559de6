"""Amendments of what a live release is measured by: other targets, other surroundings, columns that turned out to tell persons apart."""
