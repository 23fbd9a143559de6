"""What each step of a recipe is going to do to the risk by information entropy, measured before the recipe is run."""
