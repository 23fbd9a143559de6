"""Outside persons who are invited to one intruder test: their workspace, what they see of the result, and what they claim."""
