"""The surroundings of a release: controls, motives, and how likely an attempt is."""
