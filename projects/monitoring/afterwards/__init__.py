"""Re-assessments of releases that have ended and of which copies are still out (5.6.2): they go on until no copy is."""
