"""Whose name and logo stand on the documents."""
