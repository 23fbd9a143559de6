"""Tables of statistics: cells and their margins, which cells tell too much, and what hides them (T/ISC 0078 10.5, GB/T A.1.3)."""
