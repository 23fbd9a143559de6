"""Evidence that processing answers for."""
