"""One search across projects, columns, people and events, of what the person may see."""
