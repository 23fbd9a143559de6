"""What a recipe has to be before it is saved: checks, policy, and a first suggestion."""
