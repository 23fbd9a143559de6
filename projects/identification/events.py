"""Sentences of the audit log about identification."""
