"""Making a table k-anonymous from the outside: the release, what it would take, and its remedies."""
