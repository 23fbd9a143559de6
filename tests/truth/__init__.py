"""What the gate says of results, held against tables made for each sentence: true on one, not said on the other."""
