"""What coefficient each capability of a recipient has in the degree of anonymisation (T/ISC 0078 C.5)."""
