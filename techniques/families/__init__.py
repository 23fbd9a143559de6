"""The techniques at work, one folder a family of Annex A; what may be set stands in the catalogue."""
