"""Measurements of the portal on one machine; see README.md."""
