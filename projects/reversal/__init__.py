"""Getting single values back: asked for with a reason, decided by a second person, read by who asked."""
