"""Evidence that identification answers for."""
