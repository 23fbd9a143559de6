"""Content kept under a name for later projects: what recipes and templates that are saved have in common."""
