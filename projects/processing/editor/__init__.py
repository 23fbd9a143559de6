"""The recipe editor: pages, drafts, and forms made from the engine's description of each technique."""
