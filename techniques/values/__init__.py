"""Reading numbers, dates and divisions out of text columns, vectorised over distinct values."""
