"""What a verification has measured, as types: JSON that is kept, hashed and signed, read by attribute."""
