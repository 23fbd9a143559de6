"""Evidence that datasets answers for."""
