"""The data-use notice: how de-identification changed the data, and what must not be computed from it (4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.decisions.selectors import signoffs_of
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.core.numbers import count
from projects.processing.models import RecipeVersion, Run
from projects.processing.runs.designation.presentation import Shown, named_rows, shown_of
from projects.processing.runs.findings import rows_stand_for
from projects.verification.gate.scales.presentation import degree_statement
from projects.verification.models import Verification
from techniques import catalogue
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.technique import Technique
from techniques.core.messages import EngineError, filled
from techniques.core.settings import TechniqueSettings

from ..models import Release


@dataclass(frozen=True)
class Change:
    """One thing that was done: to which columns, and what follows from it."""

    name: str
    columns: list[str]
    effect: str


@dataclass(frozen=True)
class Notice:
    """``stand_for``: what the ``rows`` are (records, groups, persons, made_up); ``rows_missing`` are rows of the source that are no
    records of the file, so all of them where its rows are groups, put together or made up."""

    rows: int
    rows_missing: int
    stand_for: str
    removed: list[str]
    changes: list[Change]

    @property
    def rows_text(self) -> str:
        """The rows as every other number is written."""
        return count(self.rows)

    @property
    def missing_text(self) -> str:
        """Likewise those of the source that are missing."""
        return count(self.rows_missing)


def notices_of(release: Release) -> list[tuple[str, Notice]]:
    """By the names of the tables, the notice of each file of ``release`` in the reader's language."""
    recipes = _recipes(release)
    return [
        (file["table"], notice_from(file["notice"], file["rows"], recipes.get(file["table"], {})))
        for file in release.files
    ]


def degree_notice(release: Release) -> str:
    """That the degree of anonymisation of what was released is below 1, and why senior management accepted it; empty where it
    is reached."""
    measured = verification_of(release)
    below = measured.degree_below if measured else None
    if below is None:
        return ""
    signoff = next((one for one in signoffs_of(release.project_id) if one.pk == release.signoff_id), None)
    return degree_statement(below, signoff)


def designation_of_release(release: Release) -> Shown | None:
    """What the released result may be called, with what is known of it now."""
    measured = verification_of(release)
    run = measured.run if measured else Run.objects.select_related("recipe_version").get(pk=release.run_id)
    run.project = release.project
    return shown_of(run)


def released_rows(project: Project) -> list[tuple[str, str]]:
    """The row of a paper about what a project has released: what the newest release may be called; none where nothing was released."""
    release = (
        Release.objects.filter(project=project).select_related("project").order_by("-released_at").first()
    )
    return named_rows(designation_of_release(release)) if release is not None else []


def _recipes(release: Release) -> dict[str, dict[str, Any]]:
    """Table → the recipe that was run; asked for only where what is said hangs on settings."""
    named = {step["technique"] for file in release.files for step in file["notice"].get("steps", ())}
    if not any(
        spec.settings.notice is not TechniqueSettings.notice
        or spec.settings.rows_made is not TechniqueSettings.rows_made
        for spec in map(_technique, named)
        if spec
    ):
        return {}
    measured = verification_of(release)
    version = measured.run.recipe_version if measured else RecipeVersion.objects.get(runs=release.run_id)
    return version.tables


@cached_read
def verification_of(release: Release) -> Verification | None:
    """The verification that was signed, with the recipe of its run."""
    of_project = Verification.objects.filter(
        project=release.project_id, content_hash=release.verification_hash
    )
    return of_project.select_related("run__recipe_version", "run__key", "run__seed").first()


def notice_from(content: Mapping[str, Any], rows: int, recipe: Mapping[str, Any]) -> Notice:
    """The notice from what was stored at the run, the ``rows`` of the file and the ``recipe`` of its table, {} where no setting
    of it matters."""
    rows_in, rows_out = content.get("rows_in", rows), content.get("rows_out", rows)
    # Steps of one technique on the same columns follow each other in both as in the recipe.
    settings: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for step in recipe.get("steps", ()):
        settings.setdefault((step["technique"], *step["columns"]), []).append(step["parameters"])
    stand_for = rows_stand_for(recipe.get("steps") or content.get("steps", []))
    return Notice(
        rows=rows_out,
        rows_missing=max(0, rows_in - rows_out) if stand_for == "records" else rows_in,
        stand_for=stand_for,
        removed=list(content.get("removed_columns", [])),
        changes=[
            _change(
                step,
                of_step.pop(0) if (of_step := settings.get((step["technique"], *step["columns"]))) else {},
            )
            for step in content.get("steps", [])
        ],
    )


def _change(step: dict[str, Any], settings: Mapping[str, Any]) -> Change:
    spec = _technique(step["technique"])
    if spec is None:
        return Change(step["technique"], list(step["columns"]), _(FAMILIES[Family.MODEL].notice))
    said = spec.notice_with(spec.settings.model_construct(**settings))
    return Change(_(spec.name), list(step["columns"]), filled(_(said), settings))


def _technique(key: str) -> Technique | None:
    """None for a technique that a later version dropped: it still stands in an old release."""
    try:
        return catalogue.get(key)
    except (EngineError, LookupError):
        return None
