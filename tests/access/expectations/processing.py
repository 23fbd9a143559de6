"""Recipes and runs: the executor's, while the data are being processed."""

from ..language import Table

TABLE: Table = {}
