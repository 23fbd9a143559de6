"""The register of releases: what left which project in which columns, about whom, to whom and until when, and what overlaps."""
