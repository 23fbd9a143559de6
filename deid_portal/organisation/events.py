"""Sentences of the audit log about organisation."""
