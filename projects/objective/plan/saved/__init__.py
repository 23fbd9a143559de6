"""Target and plan under a name: a template that a new project begins with."""
