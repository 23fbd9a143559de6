"""``deid completion``: commands, options and their choices for the shell."""
