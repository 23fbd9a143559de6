"""Recipes in files: read with their variables, tested by their own tests, described for editors."""
