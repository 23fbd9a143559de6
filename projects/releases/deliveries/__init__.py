"""What recipients ask for, fetch and look at."""
