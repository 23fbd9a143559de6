"""The encrypted store: files by their row, and workspaces of named files for runs."""
