"""The protection levels that persons ask for (A.5.1): counted, drawn, edited beside the values, and put into the recipe."""
