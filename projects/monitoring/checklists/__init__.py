"""Review checklists: what the organisation has a supervisor answer, item by item, where a stage is reviewed (T/ISC 0078 12.2 b)."""
