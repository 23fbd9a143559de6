"""People who come in by a table: read, checked row by row, shown, and then made in one act."""
