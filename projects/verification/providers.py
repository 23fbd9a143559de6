"""Evidence that verification answers for."""
