"""Evidence that releases answers for."""
