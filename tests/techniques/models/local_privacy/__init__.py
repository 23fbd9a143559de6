"""Differential privacy in local mode."""
