"""The secrets that the commands are given, and what a report says of those of its run."""
