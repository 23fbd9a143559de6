"""The recipe of a draft carried out on the whole table and measured; works in the worker, returns figures and masked rows."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from projects.vault.keys import master_key
from techniques.catalogue.suppression import RareCombinationsSettings
from techniques.core.secrets import Secrets
from techniques.core.subjects import persons
from techniques.data_utility.detail import detail_kept
from techniques.disclosure_risk.measure import measure
from techniques.engines.local import LocalRun
from techniques.engines.parts import Source
from techniques.families.preparation.normalise import prepared
from techniques.recipe.recipe import Output, Recipe
from techniques.tables import open_table, plain_batches, plain_names
from techniques.tables.dictionary import encode_columns
from techniques.tables.subjects import read_subjects

from ...models import WholePreview
from ...recipes.policy import national_only
from .rows import WINDOW, rows_shown

STAR = "*"


def measured(
    preview: WholePreview,
    columns: Mapping[str, list[str]],
    workspace: EncryptedWorkspace,
    tick: Callable[[float], None],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(figures, rows as they are shown). ``columns``: the ``quasi`` and ``direct`` identifiers. The run leaves raw data in ``workspace``, which the caller empties."""
    run = _run(preview, workspace)
    run.execute_all(lambda share: tick(0.6 * share))
    return _Outcome(columns, run).figures(tick), shown(preview, run)


def _run(preview: WholePreview, workspace: EncryptedWorkspace) -> LocalRun:
    """The run of the draft: in the order of the source, with keys of its own that are the same for all previews of a data
    set, so that asking often averages nothing out."""
    dataset = preview.dataset
    assert dataset.rows is not None  # as the rule requires
    recipe = Recipe.from_data(preview.recipe).model_copy(update={"order": "kept", "output": Output()})
    keys = hmac.digest(master_key(), f"whole preview {dataset.pk}".encode(), "sha512")
    opened: partial[BinaryIO] = partial(dataset_open, dataset)
    source = Source(opened, dataset_format(dataset), dataset.rows, dataset.size)
    secrets = Secrets(
        keys[:32],
        keys[32:],
        purposes=dict.fromkeys(recipe.purposes(), keys[:32]),
        once=keys[32:],
        national=national_only(),
    )
    return LocalRun(recipe, source, workspace, secrets, "csv")


class _Outcome:
    """What is measured of a finished run."""

    def __init__(self, columns: Mapping[str, list[str]], run: LocalRun) -> None:
        self.run, self.recipe, self.source = run, run.recipe, run.source
        with self.source.open() as stream:
            self.header = list(open_table(stream, self.source.format).columns)
        with run.workspace.open_read(run.result_name) as stream:
            self.left = plain_names(list(open_table(stream, run.format).columns), set(self.header))
        self.direct = columns["direct"]
        self.quasi = [name for name in columns["quasi"] if name in self.left]
        self.asked = columns["quasi"]

    def figures(self, tick: Callable[[float], None]) -> dict[str, Any]:
        report = self.run.report()
        are_records = _are_records(self.recipe)
        whose_in, whose_out = None, None
        if self.recipe.subject:
            whose_in, whose_out = (
                read_subjects(self._before(), list(self.recipe.subject)),
                self.run.subjects(),
            )
        found: dict[str, Any] = {
            "rows_in": report["rows_in"],
            "rows_out": report["rows_out"],
            "persons_in": None if whose_in is None else persons(whose_in)[1],
            "persons_out": None if whose_out is None else persons(whose_out)[1],
            "are_records": are_records,
            "quasi": self.quasi,
            "smallest": None,
            "smallest_before": None,
            "starred": 0,
            "starred_persons": None,
            "removed_columns": [name for name in self.header if name not in self.left],
        }
        tick(0.65)
        if are_records and self.quasi and report["rows_out"]:
            emptied = _emptied(self.recipe, self.quasi)
            risk = measure(
                self._after(), self.quasi, contributions=False, subjects=whose_out, emptied=emptied or None
            )
            risk = risk.with_missing_as_anything() if emptied else risk
            found |= {"smallest": risk.k, "starred": risk.suppressed_rows}
        if are_records and self.asked and report["rows_in"]:
            before = measure(self._before(), self.asked, contributions=False, subjects=whose_in)
            found["smallest_before"] = before.k
        tick(0.8)
        after = encode_columns(self._after(), self.left)
        stars = {name: (one.codes == pc.index(one.values.cast(pa.string()), STAR).as_py()) & (one.codes >= 0)
                 for name, one in after.items()}  # fmt: skip
        found["stars"] = {name: float(one.mean()) if len(one) else 0.0 for name, one in stars.items()}
        if whose_out is not None and found["starred"]:
            hidden = np.logical_and.reduce([stars[name] for name in self.quasi])
            found["starred_persons"] = persons(whose_out)[1] - persons(whose_out[~hidden])[1]
        named = [name for name in self.header if name not in self.direct]
        found["detail"] = detail_kept(prepared(self._before(), recipe=self.recipe), self._after(), named)
        tick(0.95)
        return found

    def _before(self) -> Iterator[pa.RecordBatch]:
        with self.source.open() as stream:
            yield from open_table(stream, self.source.format).batches()

    def _after(self) -> Iterator[pa.RecordBatch]:
        with self.run.workspace.open_read(self.run.result_name) as stream:
            yield from plain_batches(open_table(stream, self.run.format).batches(), set(self.header))


def _are_records(recipe: Recipe) -> bool:
    """Whether the rows of the result are persons' and neither groups nor made up."""
    return not any(step.ends_records for step in recipe.steps)


def _emptied(recipe: Recipe, quasi: list[str]) -> list[str]:
    """The quasi-identifiers of which local suppression empties cells (A.3.3)."""
    named = {
        column
        for step in recipe.steps
        if isinstance(step.parameters, RareCombinationsSettings)
        for column in step.columns
    }
    return [name for name in quasi if name in named]


def shown(preview: WholePreview, run: LocalRun) -> dict[str, Any]:
    """A few rows before and after, both masked as far as the rule of :mod:`.rows` asks; none where rows do not correspond."""
    if not _are_records(run.recipe):
        return {"columns": [], "rows": []}
    before, after, kept, whose = run.first_rows(WINDOW)
    return rows_shown(preview.dataset, run.recipe, before, after, kept, whose)
