"""Masked samples beside each column; the datasets package masks, this one only arranges."""

from __future__ import annotations

from projects.datasets.models import Dataset
from projects.datasets.presentation import preview

SAMPLES = 2


def samples_of(dataset: Dataset) -> dict[str, list[str]]:
    """Column → a few masked values from the head of the file; empty while there is no sample."""
    masked = preview(dataset)
    if masked is None:
        return {}
    columns = zip(masked.columns, *masked.rows, strict=True)
    return {
        column: list(dict.fromkeys(value for value in values if value))[:SAMPLES]
        for column, *values in columns
    }
