"""The team for personal information: who leads it for senior management, and who has which duty (T/ISC 0078 12.1)."""
