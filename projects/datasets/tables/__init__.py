"""The tables of a project and the links between them (ADR 10)."""
