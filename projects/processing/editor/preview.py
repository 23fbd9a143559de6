"""What a step would do to the first rows: worked out in a process of its own, shown without raw values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.datasets.models import Dataset
from projects.datasets.samples import PREVIEW_ROWS, mask, sample_of
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Claims, Technique
from techniques.core.messages import EngineError

from .. import wording
from ..recipes.policy import national_only

# The portal's keys are none of its business.
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "NUMBA_CACHE_DIR")
SECONDS = 30
"""A preview that takes longer is given up; nobody may have two at a time."""


@dataclass(frozen=True)
class Preview:
    """The outcome: per column pairs of texts before and after, or why there are none."""

    columns: list[tuple[str, list[tuple[str | None, str | None]]]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    rows: int = 0
    problem: str = ""


def sample_preview(dataset: Dataset, step: Mapping[str, Any], *, by: Person) -> Preview:
    """The step applied to the stored first rows. Raw values leave neither the process nor the page.

    A value that the step leaves as it is stays masked on both sides.
    """
    sample = sample_of(dataset)
    if sample is None or not sample.rows:
        return Preview(problem=_("The data set has no rows to try this on."))
    busy = f"processing-look-{by.pk}"
    if not cache.add(busy, True, SECONDS):
        return Preview(problem=_("An earlier preview is still being worked out. Try again in a moment."))
    try:
        question = {"step": step, "columns": sample.columns, "rows": sample.rows}
        answer = _ask(question | {"national": national_only()})
    finally:
        cache.delete(busy)
    if answer is None:
        return Preview(problem=_("The preview took too long and was given up. A run has no such limit."))
    if "code" in answer:
        error = EngineError(answer["code"], answer["message"], **answer["params"])
        return Preview(problem=wording.engine_text(error, path=_("This step")))
    if answer["after"] is None:
        return Preview(problem=_("This step leaves rows out; its effect shows after a run."))
    columns = []
    for name in step["columns"]:
        if name in answer["after"]:
            before = [row[sample.columns.index(name)] for row in sample.rows]
            pairs = [
                (mask(old), mask(new) if new == old else new)
                for old, new in zip(before, answer["after"][name], strict=True)
            ]
            columns.append((name, pairs[:PREVIEW_ROWS]))
    removed = [name for name in step["columns"] if name not in answer["after"]]
    return Preview(columns, removed, len(sample.rows))


def _ask(question: Mapping[str, Any]) -> dict[str, Any] | None:
    """The engine's answer; None where it took too long or broke off."""
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
        return None
    # What it wrote beside its answer may hold values: it is dropped.
    answer: dict[str, Any] | None = json.loads(done.stdout) if done.returncode == 0 else None
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
        (_("Difference of values"), made.distinctness),
        (_("Statistics"), made.statistics),
        (_("Way back with the key"), made.reversible),
    )
    return [(name, *words[effect]) for name, effect in named]
