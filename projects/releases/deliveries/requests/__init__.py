"""Fetches of files that recipients request one by one where their agreement says so, and what was fetched (T/ISC 0078 11.2 c)."""
