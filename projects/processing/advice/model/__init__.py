"""The conversation about the privacy model (Annex B)."""
