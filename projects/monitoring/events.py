"""Sentences of the audit log about monitoring."""
