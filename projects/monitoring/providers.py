"""Evidence that monitoring answers for."""
