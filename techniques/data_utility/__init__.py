"""Usefulness of a result (GB/T 37964 5.5.3): targets set before processing, checked on the result."""
