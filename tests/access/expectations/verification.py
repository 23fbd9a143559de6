"""Measuring the result, and senior management's decision about it."""

from ..language import Table

TABLE: Table = {}
