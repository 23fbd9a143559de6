"""A release that does not meet its targets any more, and senior management who accepts that until a day."""
