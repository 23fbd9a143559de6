"""Sentences of the audit log about datasets."""
