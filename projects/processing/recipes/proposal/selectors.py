"""The suggestion as it may be proposed: by the rules alone, or as it came out of the data."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.models import Dataset, Table
from projects.datasets.tables.selectors import dataset_now
from techniques.core.canonical import canonical_hash

from ...models import Proposal
from ..suggestion import MODELS, recipe_suggest


def proposals_of(project: Project) -> QuerySet[Proposal]:
    """All of them, newest first, without the recipes that were tried."""
    found = Proposal.objects.filter(project=project).defer("suggested")
    return found.select_related("project", "dataset__table", "requested_by")


@cached_read
def _proposals_about(dataset: Dataset) -> tuple[Proposal, ...]:
    """The newest about one data set."""
    return tuple(Proposal.objects.filter(dataset=dataset)[:10])


def basis_of(suggested: Mapping[str, Any]) -> str:
    """What a suggestion does, whatever its title and the language of its reasons."""
    steps = [
        {**step, "parameters": {}} if step["technique"] == "as_is" else step
        for step in suggested.get("steps", ())
    ]
    return canonical_hash({**suggested, "title": "", "steps": steps})


def tried_of(table: Table, suggested: Mapping[str, Any]) -> Proposal | None:
    """The newest that was tried of what is suggested now on the data as they are now; one that still waits, where none was."""
    dataset = dataset_now(table)
    if dataset is None or not suggested:
        return None
    basis = basis_of(suggested)
    found = [one for one in _proposals_about(dataset) if one.basis_hash == basis]
    return next((one for one in found if one.measured_at), found[0] if found else None)


def recipe_proposed(table: Table) -> tuple[dict[str, Any], Proposal | None]:
    """(the recipe to start from, how it was tried): with the settings that were found on the data, where it was tried."""
    suggested = recipe_suggest(table)
    found = tried_of(table, suggested)
    return with_settings(suggested, found), found


def with_settings(suggested: dict[str, Any], found: Proposal | None) -> dict[str, Any]:
    """The suggestion with the model's settings that were ``found``."""
    settings = found.result.get("settings") if found else None
    if settings is None or not is_changed(found):
        return suggested
    made = copy.deepcopy(suggested)
    step = next(one for one in reversed(made["steps"]) if one["technique"] in MODELS)
    step["parameters"] = settings
    return made


def is_changed(found: Proposal | None) -> bool:
    """Whether what was found differs from what the rules suggest."""
    result = found.result if found else {}
    return bool(result.get("starred")) or result.get("taken") not in (None, "suggested")
