"""The catalogue's entries, a module per family."""
