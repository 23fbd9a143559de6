"""The suggested recipe, tried on the data before it is proposed: that it runs, and which columns nothing keeps from being ``*``."""
