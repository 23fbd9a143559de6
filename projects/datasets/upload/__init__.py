"""Receiving files of strangers: encrypted while they arrive, within bounds."""
