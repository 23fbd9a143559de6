"""Links among the columns of a table (5.3.4 a): searched for by the scan, said before the verdicts."""
