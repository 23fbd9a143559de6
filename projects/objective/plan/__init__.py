"""The plan as a document, what it is prefilled with, and the decision about it."""
