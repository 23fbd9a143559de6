"""What a result still tells of its source, seen from both files: values that stayed, other spellings of them, what is left
of them, columns that tell rows apart, and the order of the rows. No recipe is believed."""
