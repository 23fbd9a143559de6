"""Sentences of the audit log about jobs."""
