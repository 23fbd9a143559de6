"""The API: the same services, the same rules and the same reasons as the pages."""
