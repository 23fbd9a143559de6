"""Recipients check samples of what they fetched, and what they did about what they found (T/ISC 0078 11.2 e)."""
