"""The recipe: which technique treats which column; light enough for the web process."""
