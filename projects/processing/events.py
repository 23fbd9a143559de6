"""Sentences of the audit log about processing."""
