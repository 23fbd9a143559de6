"""What somebody left half filled in a form (ADR 16): kept for them alone, until it is saved, discarded or too old."""
