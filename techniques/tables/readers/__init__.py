"""Reading table files: what a file is, and its rows."""
