"""What a decision about the result rests on: the answer, and the screen on which it is decided (5.5.4)."""
