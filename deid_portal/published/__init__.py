"""Addresses without sign-in under which completely public releases are handed out."""
