"""The log as people and programs outside read it: files of it, and what its facts are called."""
