"""Evidence that objective answers for."""
