"""Whole first recipes for a scene of use (T/ISC 0078 Annex B)."""
