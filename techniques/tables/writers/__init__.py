"""Writing table files, whole or not at all."""
