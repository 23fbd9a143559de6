"""The page of planned steps: the risk of the source and after each step, as rows, drawings and formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.numbers import percent
from projects.datasets.models import Table
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from techniques.catalogue import bases

from ... import wording
from ...models import Forecast
from ..selectors import current_recipe
from .formula import entropy_formula, figure
from .services import forecasts_of, may_forecast

_ROUNDING = 1e-9


def overview(table: Table, user: Person) -> dict[str, Any]:
    """The context of a table's page: whether to measure now, the job under way, and what was found last."""
    found = list(forecasts_of(table.project).filter(dataset__table=table)[:10])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    measured = next((one for one in found if one.measured_at is not None), None)
    return {
        "may_forecast": may_forecast(user, table),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "forecast": measured,
        "is_current": measured is not None
        and measured.recipe_version == current_recipe(table.project)
        and measured.dataset == dataset_now(table),
        "shown": shown(measured) if measured else None,
    }


def shown(forecast: Forecast) -> dict[str, Any]:
    """One forecast as its page and its API show it. ``rows``: source and steps, each beside what was before it."""
    source = forecast.result["source"]
    attack, persons = forecast.question["attack"], bool(source["persons"])
    rows = [_row(_("Source"), "", [], source, None, attack, persons=persons)]
    before = source
    for one in forecast.result["steps"]:
        name = _("Step %(number)s") % {"number": one["number"]}
        technique = wording.technique_name(one["technique"])
        rows.append(_row(name, technique, one["columns"], one["risk"], before, attack, persons=persons))
        before = one["risk"] or before
    return {
        "basis": _(bases.ENTROPY),
        "limits": limits(),
        "rows": rows,
        "persons": persons,
        "attack": attack,
        "points": _points(rows),
    }


def limits() -> list[str]:
    """What the figures mean, and what they do not say."""
    return [
        _("Likelihood: how much of what singles someone out the quasi-identifiers reveal, each weighted by the probability that an attacker knows that many columns."),
        _("Impact: the same, each weighted by what is exposed alongside it, as far as its values survive the steps."),
        _("Risk: likelihood times impact, from 0 to 1. It has no threshold."),
        _("Nothing to measure: no quasi-identifier is left, or the rows are no longer records of the source."),
        _("Steps that draw at random draw differently when the recipe is run, so its figures may differ a little."),
        _(bases.ENTROPY_LIMITS),
    ]  # fmt: skip


def _points(rows: list[dict[str, Any]]) -> list[tuple[str, float, float, bool]]:
    """What is drawn: a step that moves nothing lies on the one before and has no point of its own."""
    moved = [row for row in rows if row["has_risk"] and row["change"] != "same"]
    return [
        (row["name"], row["figures"]["likelihood"], row["figures"]["impact"], row is moved[-1])
        for row in moved
    ]


def _row(
    name: str, technique: str, columns: list[str], found: Mapping[str, Any] | None, before: Mapping[str, Any] | None,
    attack: Mapping[str, Any], *, persons: bool,
) -> dict[str, Any]:  # fmt: skip
    row: dict[str, Any] = {
        "name": name,
        "technique": technique,
        "columns": columns,
        "has_risk": found is not None,
    }
    if found is None:
        return row
    return row | {
        "figures": found,
        "likelihood": _beside(found, before, "likelihood"),
        "impact": _beside(found, before, "impact"),
        "risk": _beside(found, before, "risk"),
        "change": "" if before is None else _change(found["risk"], before["risk"]),
        "growth": [(one["column"], one["severity"] - one["gain"], one["severity"]) for one in found["path"]],
        "path": [
            {
                "column": one["column"],
                "gain": _share(one["gain"]),
                "severity": _share(one["severity"]),
                "frequency": figure(one["frequency"]),
                "leakage": figure(one["leakage"]),
                "survival": percent(found["survival"][one["column"]]),
            }
            for one in found["path"]
        ],
        "formula": entropy_formula(found, attack, persons=persons),
    }


def _beside(found: Mapping[str, Any], before: Mapping[str, Any] | None, name: str) -> str:
    """The figure, behind that of before."""
    now = figure(found[name])
    return now if before is None else f"{figure(before[name])} → {now}"


def _share(value: float) -> str:
    """As per cent; sums that miss nothing or all by rounding only are that."""
    return percent(round(value, 12) + 0.0)


def _change(risk: float, before: float) -> str:
    if risk < before * (1 - _ROUNDING):
        return "lower"
    return "higher" if risk > before * (1 + _ROUNDING) else "same"
