"""Recipes kept under a name, without the data they were written for, and laid upon the columns of another table."""
