"""How an answer with noise comes about, step by step, on the standard's own example."""
