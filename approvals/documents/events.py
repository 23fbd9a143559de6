"""Sentences of the audit log about documents."""
