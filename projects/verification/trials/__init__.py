"""Measuring a result before it is handed over: recorded and counted, never a verdict and never signed."""
