"""What an external assessor says of whether a result is of use for its purpose, before it is signed (5.5.3)."""
