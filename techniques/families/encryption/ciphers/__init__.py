"""Ciphers on blocks, numbers and shares, known by their standards; the techniques use them."""
