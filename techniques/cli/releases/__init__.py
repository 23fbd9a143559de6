"""``deid releases``: what several releases tell together."""
