"""Worked examples and experiments of the sources, one module each; ``deid reproduce`` carries them out."""
