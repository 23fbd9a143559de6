"""The solutions that a model's search has to choose from."""
