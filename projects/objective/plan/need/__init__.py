"""Why the data are needed, and whether it can be done: what the executor raises and the planning manager answers."""
