"""What a step would do to the first rows: worked out in a process of its own, shown without raw values."""

from __future__ import annotations

import hmac
import json
import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.datasets.models import Dataset
from projects.datasets.samples import PREVIEW_ROWS, Sample, mask, sample_of
from projects.identification.selectors import person_key_of
from projects.vault.keys import master_key
from techniques import catalogue
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Claims, Missing, Technique
from techniques.core.messages import EngineError

from .. import wording
from ..models import PreviewedRows
from ..recipes.policy import national_only
from .telling import Column

log = logging.getLogger(__name__)

# The portal's keys are none of its business.
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR", "NUMBA_CACHE_DIR")
SECONDS = 30
"""A preview that takes longer is given up; nobody may have two at a time."""
ROWS_EACH = 5
"""How many of the first rows one setting of a step is shown with."""
COMMON = 5
"""A value that so many persons have among the rows that are looked at is a category."""


@dataclass(frozen=True)
class Preview:
    """The outcome: per column pairs of texts before and after, or why there are none."""

    columns: list[tuple[str, list[tuple[str | None, str | None]]]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    rows: int = 0
    problem: str = ""


def sample_preview(dataset: Dataset, step: Mapping[str, Any], *, by: Person) -> Preview:
    """The step applied to the stored first rows. Raw values leave neither the process nor the page.

    A value that the step leaves as it is, or of which it leaves nearly everything, stays masked on both sides.
    """
    sample = sample_of(dataset)
    if sample is None or not sample.rows:
        return Preview(problem=_("The data set has no rows to try this on."))
    busy = f"processing-look-{by.pk}"
    if not cache.add(busy, True, SECONDS):
        return Preview(problem=_("An earlier preview is still being calculated. Try again in a moment."))
    try:
        question = {"step": step, "columns": sample.columns, "rows": sample.rows}
        settings_digest = _digest(dataset, step)
        keys = settings_digest + _digest(dataset, step, "draws")
        answer = _ask(question | {"national": national_only(), "keys": keys})
    finally:
        cache.delete(busy)
    if isinstance(answer, str):
        return Preview(problem=answer)
    if "code" in answer:
        error = EngineError(answer["code"], answer["message"], **answer["params"])
        return Preview(problem=wording.engine_text(error, path=_("This step")))
    if answer["after"] is None:
        return Preview(problem=_("This step leaves out rows; its effect is visible after a run."))
    spec = catalogue.get(step["technique"])
    # What changes places among the rows is somebody's wherever it stands; what is not treated is what it was.
    hidden = spec.missing is Missing.MOVED or not spec.treats
    whose = _whose(sample, person_key_of(dataset.table))
    columns = []
    for name in step["columns"]:
        if name in answer["after"]:
            before = [row[sample.columns.index(name)] for row in sample.rows]
            pairs = list(zip(before, answer["after"][name], strict=True))
            if hidden or all(old == new for old, new in pairs):
                columns.append((name, [(mask(old), mask(new)) for old, new in pairs[:PREVIEW_ROWS]]))
                continue
            shown = _rows_shown(dataset, name, settings_digest, before, whose)
            if not shown:
                return Preview(
                    problem=_(
                        "The values of the first rows of “%(column)s” have already been shown under "
                        "other settings; two of them together could reveal a value. Look at raw rows "
                        "on the data page, giving a reason, or run the recipe."
                    )
                    % {"column": name}
                )
            found = [pairs[row] for row in shown]
            column = Column(before, answer["after"][name])
            columns.append(
                (name, [(mask(old), mask(new) if column.tells(old, new) else new) for old, new in found])
            )
    removed = [name for name in step["columns"] if name not in answer["after"]]
    return Preview(columns, removed, len(sample.rows))


def _digest(dataset: Dataset, step: Mapping[str, Any], *more: str) -> str:
    """What tells one step's settings from another's, and gives the draws of its preview."""
    said = json.dumps(
        [str(dataset.pk), step["technique"], step.get("parameters", {}), *more], sort_keys=True, default=str
    )
    return hmac.digest(master_key(), f"preview {said}".encode(), "sha256").hex()


def _whose(sample: Sample, key: Sequence[str] | None) -> list[Hashable]:
    """Whose each of the first rows is, by the columns of the ``key``: its own where the row does not say it, or nobody did."""
    places = [sample.columns.index(name) for name in key or ()]
    said = [tuple(row[place] for place in places) for row in sample.rows]
    return [cells if cells and None not in cells else row for row, cells in enumerate(said)]


def _rows_shown(
    dataset: Dataset, column: str, settings_digest: str, values: list[str | None], whose: list[Hashable]
) -> list[int]:
    """Which rows a column is shown with under these settings: none whose value was shown under others.

    So all previews together show of a value what one of them does. A value that many persons have is nobody's own.
    """
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        known: dict[str, list[int]] = dict(
            PreviewedRows.objects.filter(dataset=dataset, column=column).values_list("settings", "rows")
        )
        if settings_digest not in known:
            # Rows behind these are those of previews of the whole result.
            spent = {values[row] for rows in known.values() for row in rows if row < len(values)}
            holders = Counter(value for value, _who in set(zip(values, whose, strict=True)))
            often = {value for value, persons in holders.items() if persons >= COMMON or value is None}
            free = [row for row, value in enumerate(values) if value in often or value not in spent]
            known[settings_digest] = free[:ROWS_EACH]
            if free:
                PreviewedRows.objects.create(
                    dataset=dataset, column=column, settings=settings_digest, rows=free[:ROWS_EACH]
                )
    return known[settings_digest]


def _ask(question: Mapping[str, Any]) -> dict[str, Any] | str:
    """The engine's answer; a sentence where it took too long or broke off."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "techniques.engines.preview"],
            input=json.dumps(question, ensure_ascii=True),
            capture_output=True,
            text=True,
            cwd=settings.BASE_DIR,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _("The preview took too long and was stopped. A run has no such limit.")
    try:
        # A whole answer is one, however the process ended behind it.
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        # What it wrote may hold values: it is dropped.
        log.warning("a preview broke off with code %d", done.returncode)
        return _("The preview broke off. Try it again, or see the effect after a run.")
    return answer


def claims(spec: Technique) -> list[tuple[str, str, str]]:
    """(what, tone, word) of what the technique keeps of the values; empty where nothing is claimed."""
    made: Claims | None = spec.claims
    if made is None:
        return []
    words = {
        Effect.YES: ("ok", _("kept")),
        Effect.PARTLY: ("warn", _("kept in part")),
        Effect.NO: ("neutral", _("lost")),
    }
    named = (
        (_("Order"), made.order),
        (_("Format"), made.format),
        (_("Data type"), made.type),
        (_("Distinction between values"), made.distinctness),
        (_("Statistics"), made.statistics),
        (_("Reversible with the key"), made.reversible),
    )
    return [(name, *words[effect]) for name, effect in named]
