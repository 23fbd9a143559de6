"""Lists, search and boards over 10,000 projects and 1,000,000 rows of the audit log (``make bench-many``)."""
