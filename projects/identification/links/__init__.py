"""Links among the columns of a table (5.3.4 a) and values that catch the eye (5.3.4 b): searched for by the scan, said before
the verdicts."""
