"""Privacy models of Annex B: techniques with a computable risk."""
