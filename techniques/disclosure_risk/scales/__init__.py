"""Scales that put a measured risk beside its surroundings: T/ISC degree, GB/T 42460 level, environment."""
