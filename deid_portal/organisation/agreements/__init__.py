"""The organisation's own clauses of the data use agreement."""
