"""Agreements, releases, deliveries: what the planning manager hands out and the recipient fetches."""

from ..language import Table

TABLE: Table = {}
