"""The document of the outside body itself, kept with the order of its assessment (GB/T 37964 5.5.1)."""
