"""Which rows a preview of the whole result shows, and what of them: no value of the data under two different treatments.

A preview shows a row's cells before, masked, and after. Two previews with other settings of one row would tell more of a value
than either, so a row that was shown under some settings of a column is never shown under others, and the draws of all previews of
a data set are the same. The first rows belong to the previews of single steps (:mod:`..preview`).
"""

from __future__ import annotations

import hmac
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from projects.datasets.models import Dataset
from projects.datasets.samples import MAX_CELL, SAMPLE_ROWS, mask
from projects.vault.keys import master_key
from techniques.catalogue.technique import Missing, Scope
from techniques.recipe.recipe import Recipe

from ...models import PreviewedRows
from ..preview import COMMON, ROWS_EACH
from ..telling import Column

Cells = Mapping[str, Sequence[str | None]]
WINDOW = 2000
"""Rows from the beginning of the table among which those that are shown are chosen."""


def rows_shown(
    dataset: Dataset,
    recipe: Recipe,
    before: Cells,
    after: Cells,
    kept: Sequence[bool],
    whose: Sequence[int] | None,
) -> dict[str, Any]:
    """``before`` and ``after`` have the first n rows of source and result by column, ``kept`` says which rows are still there,
    ``whose`` they are (None: one row, one person).

    ``columns``: names in the order of the source; ``rows``: for each the pairs (before, after) of texts, ``after`` None for the row
    where it is not in the result.
    """
    columns = [name for name in before if len(before[name])]
    hidden = moved_columns(recipe) | untreated_columns(recipe, columns)
    judges = {
        name: Column([_text(cell) for cell in before[name]], [_text(cell) for cell in after[name]])
        for name in after
        if name not in hidden
    }
    rows = _chosen(dataset, recipe, before, after, kept, whose, judges)
    found = []
    for row in rows:
        pairs = []
        for name in columns:
            old, new = _text(before[name][row]), _text(after[name][row]) if name in after else None
            is_hidden = name in after and (name not in judges or judges[name].tells(old, new))
            pairs.append((mask(old), mask(new) if is_hidden else new))
        found.append({"kept": bool(kept[row]), "cells": pairs})
    return {"columns": columns, "gone": [name for name in columns if name not in after], "rows": found}


def moved_columns(recipe: Recipe) -> set[str]:
    """Columns that get values of other rows, because these change places or a person's are put together: each is somebody's as it
    stands."""
    return {
        name
        for step in recipe.steps
        if step.spec.missing is Missing.MOVED or step.parameters.rows_made == "persons"
        for name in step.columns
    }


def untreated_columns(recipe: Recipe, columns: Sequence[str]) -> set[str]:
    """Those of ``columns`` that no step treats: they are kept as they are, or brought into one form and no more."""
    treated = {
        name
        for step in recipe.steps
        if step.spec.treats
        for name in step.columns
        if name not in step.kept_columns
    }
    return set(columns) - treated


def treatment(dataset: Dataset, recipe: Recipe, column: str) -> str:
    """A keyed digest of everything in the recipe that what becomes of ``column`` depends on."""
    touching = [number for number, step in enumerate(recipe.steps) if column in step.columns]
    last = touching[-1] if touching else -1
    upto = recipe.steps[: last + 1]
    # What works on the whole table goes by other columns too, and whatever was done to them before.
    whole = any(step.spec.scope is Scope.TABLE for step in upto)
    said = [
        [number, step.technique, step.columns, step.parameters.model_dump(mode="json")]
        for number, step in enumerate(upto)
        if whole or number in touching
    ]
    content = json.dumps([str(dataset.pk), "whole", said], sort_keys=True)
    return hmac.digest(master_key(), f"preview {content}".encode(), "sha256").hex()


def _chosen(
    dataset: Dataset,
    recipe: Recipe,
    before: Cells,
    after: Cells,
    kept: Sequence[bool],
    whose: Sequence[int] | None,
    judges: Mapping[str, Column],
) -> list[int]:
    """The rows that may be shown, of ``judges`` more than masks, noted as shown: those of an earlier preview under the same settings first."""
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        known: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for one in PreviewedRows.objects.filter(dataset=dataset):
            known[one.column][one.settings] = one.rows
        digests = {name: treatment(dataset, recipe, name) for name in after}
        spent = {name: _spent(known[name], digests[name], before[name], whose) for name in after}
        again = {row for name in after for row in known[name].get(digests[name], ())}
        count = len(kept)

        def is_free(row: int) -> bool:
            return not kept[row] or all(
                before[name][row] not in spent[name]
                or not _says(judges.get(name), before[name][row], after[name][row])
                for name in after
            )

        order = sorted(range(SAMPLE_ROWS, count), key=lambda row: row not in again)
        rows: list[int] = []
        for row in order:
            if is_free(row):
                rows.append(row)
            if len(rows) == ROWS_EACH:
                break
        for name, digest in digests.items():
            noted = sorted({*known[name].get(digest, ()), *(row for row in rows if kept[row])})
            if noted != sorted(known[name].get(digest, ())):
                PreviewedRows.objects.update_or_create(
                    dataset=dataset, column=name, settings=digest, defaults={"rows": noted}
                )
        return sorted(rows)


def _says(column: Column | None, old: str | None, new: str | None) -> bool:
    """Whether what stands after says anything that is not masked; without ``column`` all of it is."""
    if column is None or old is None or new is None or new.strip("*") == "":
        return False
    return not column.tells(_text(old), _text(new))


def _spent(
    shown: Mapping[str, Sequence[int]], digest: str, values: Sequence[str | None], whose: Sequence[int] | None
) -> set[str | None]:
    """Values of a column that were shown under other settings, or may be by previews of a step. What several persons have is
    nobody's own."""
    rows = {
        row for settings, rows in shown.items() if settings != digest for row in rows if row < len(values)
    }
    rows |= set(range(min(SAMPLE_ROWS, len(values))))
    found = {values[row] for row in rows}
    pairs = {
        (value, row if whose is None or whose[row] < 0 else -1 - whose[row])
        for row, value in enumerate(values)
    }
    holders = Counter(value for value, _who in pairs)
    return {value for value in found if value is not None and holders[value] < COMMON}


def _text(cell: str | None) -> str | None:
    return None if cell is None else cell[:MAX_CELL]
