"""How long data are kept after their project has ended, by kind."""
