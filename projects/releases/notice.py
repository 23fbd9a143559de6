"""The data-use notice: how de-identification changed the data, and what must not be computed from it (4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from techniques import catalogue
from techniques.catalogue import Family
from techniques.core.messages import EngineError

from .models import Release

# What follows for the use, by technique; else by family. No parameter that would help to undo anything.
_BY_TECHNIQUE: dict[str, Any] = {
    "generalization.rounding": gettext_lazy("Sums and means are approximate; exact values are not in the data."),
    "generalization.top_bottom_coding": gettext_lazy(
        "No largest or smallest value, and no mean that depends on them, can be computed."
    ),
    "generalization.intervals": gettext_lazy("Only counts per interval; no exact mean, sum or difference."),
    "generalization.date": gettext_lazy("No exact days, ages or durations; count by the period that is shown."),
    "generalization.region": gettext_lazy("No finer place than the division that is shown; no distances."),
    "suppression.redact_text": gettext_lazy("Text is incomplete where identifiers stood; do not search it for people."),
    "suppression.rare_values": gettext_lazy("Empty cells are not random: rare values are missing. Do not study rare cases."),
    "suppression.rare_records": gettext_lazy("Rows are missing that were rare: totals are lower than in the source."),
    "model.k_anonymity": gettext_lazy(
        "Values are coarser and some are suppressed so that rows look alike: do not compute exact values, rare "
        "combinations or rankings of small groups from these columns."
    ),
}  # fmt: skip
_BY_FAMILY: dict[Family, Any] = {
    Family.STATISTICAL: gettext_lazy(
        "The rows are a part of the source, or figures of groups of its rows; do not look for single people in them."
    ),
    Family.ENCRYPTION: gettext_lazy(
        "Values are encrypted; compare them as equal or different only, unless the technique says more."
    ),
    Family.SUPPRESSION: gettext_lazy("Parts of the values are missing; do not count, match or sort by what is hidden."),
    Family.PSEUDONYMISATION: gettext_lazy(
        "A pseudonym only tells which rows belong together in this file; do not join it with anything else."
    ),
    Family.GENERALISATION: gettext_lazy("Values are coarser than in the source; do not compute finer figures from them."),
    Family.RANDOMISATION: gettext_lazy(
        "Single values are not true; only figures about many rows can be relied on."
    ),
    Family.SYNTHESIS: gettext_lazy(
        "Values are made up and true of nobody; only figures about many rows can be relied on, and only roughly."
    ),
    Family.MODEL: gettext_lazy("Values are coarser and some are suppressed; small groups are not reliable."),
    Family.NONE: gettext_lazy("Unchanged."),
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One thing that was done: to which columns, and what follows from it."""

    name: str
    columns: list[str]
    effect: str


@dataclass(frozen=True)
class Notice:
    rows: int
    rows_missing: int
    removed: list[str]
    changes: list[Change]


def notice_of(release: Release) -> Notice:
    """The notice of ``release`` in the reader's language; of several tables that of the main one."""
    return _notice(release.notice, release.rows)


def further_notices(release: Release) -> list[tuple[str, Notice]]:
    """The notices of the further tables, by their names."""
    return [(file["table"], _notice(file["notice"], file["rows"])) for file in release.files]


def _notice(content: dict[str, Any], rows: int) -> Notice:
    rows_in, rows_out = content.get("rows_in", rows), content.get("rows_out", rows)
    return Notice(
        rows=rows_out,
        rows_missing=max(0, rows_in - rows_out),
        removed=list(content.get("removed_columns", [])),
        changes=[_change(step) for step in content.get("steps", [])],
    )


def _change(step: dict[str, Any]) -> Change:
    try:
        spec = catalogue.get(step["technique"])
    except (EngineError, LookupError):
        # A technique that a later version dropped still stands in an old release.
        return Change(step["technique"], list(step["columns"]), str(_BY_FAMILY[Family.MODEL]))
    effect = _BY_TECHNIQUE.get(spec.key, _BY_FAMILY[spec.family])
    return Change(_(spec.name), list(step["columns"]), str(effect))
