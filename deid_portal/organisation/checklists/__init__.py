"""Review checklists of the organisation, one for each stage, in versions."""
