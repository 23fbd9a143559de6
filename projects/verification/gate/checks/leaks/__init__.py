"""What of the source leads back to a person beside the classes that measures of risk form."""
