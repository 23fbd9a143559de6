"""What the risk targets ask of a model, in words beside the settings that start from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from projects.core.numbers import bound
from projects.datasets.models import Table
from projects.objective.presentation import risk_rows
from projects.objective.targets.conditions import CONDITION_TARGETS

from ..recipes.suggestion import k_needed, targets_of

_CONDITIONS = [target.name for target in CONDITION_TARGETS]
_KEYS = ("k", *_CONDITIONS, "suppression_limit")


@dataclass(frozen=True)
class TargetBounds:
    """``rows`` are (name, bound, the same in a sentence); ``about`` says which columns the conditions are asked of."""

    rows: list[tuple[str, str, str]]
    about: str


def target_bounds(table: Table, sensitive: Sequence[str]) -> TargetBounds:
    """What a model of ``table`` starts with; ``sensitive`` are the sensitive attributes that stay in the result."""
    targets = targets_of(table, sensitive)
    found = {row["key"]: row for row in risk_rows(targets, table.project.sharing_type)}
    rows = [(found[key]["label"], found[key]["target"], found[key]["plain"]) for key in _KEYS if key in found]
    needed = k_needed(targets)
    if needed > targets.k:
        plain = _("The maximum risk or the overall threshold requires more than the k of the targets, %(k)s.")
        rows[0] = (rows[0][0], bound(needed, "count", "at_least"), plain % {"k": targets.k})
    about = ""
    if any(name in found for name in _CONDITIONS):
        about = (
            _("Required for each of these sensitive attributes: %(columns)s.")
            % {"columns": _(", ").join(sensitive)}
            if sensitive
            else _("No sensitive attribute stays in the result, so nothing is required of one.")
        )
    return TargetBounds(rows, about)
