"""How many members of senior management sign a result, by how it is shared."""
