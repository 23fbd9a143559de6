"""What would make a failing result pass: searched for in the worker, shown, and taken into the recipe."""
