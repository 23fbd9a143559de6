"""What recipients state about their copies once they may not have them any more."""
