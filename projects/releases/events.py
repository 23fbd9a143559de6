"""Sentences of the audit log about releases."""
