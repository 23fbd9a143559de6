"""Where a command reads its tables from and writes them to, beside files."""
