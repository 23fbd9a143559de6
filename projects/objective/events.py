"""Sentences of the audit log about objective."""
