"""What a recipe takes of the machine, measured on samples of a table before it is run on the whole (T/ISC 0078 7.4 b)."""
