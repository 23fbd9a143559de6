"""The organisation that carries a project's processing out and answers for it (T/ISC 0078 8.1 a)."""
