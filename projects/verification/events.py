"""Sentences of the audit log about verification."""
