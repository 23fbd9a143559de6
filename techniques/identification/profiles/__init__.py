"""What the columns of a table hold, told without a value."""
