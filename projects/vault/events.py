"""Sentences of the audit log about vault."""
