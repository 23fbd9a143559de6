"""Who may have the planned steps of a recipe measured, and the only writer of what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop
from techniques.core.validation import validated
from techniques.disclosure_risk.scales.attack import Attack

from ... import events, rules
from ...models import Forecast
from ...rules import ProcessingReason
from ..selectors import current_recipe

FORECAST_JOB = "processing.forecast"


def forecasts_of(project: Project) -> QuerySet[Forecast]:
    """All of them, newest first."""
    return Forecast.objects.filter(project=project).select_related(
        "project", "recipe_version", "dataset__table", "requested_by"
    )


def may_forecast(user: Person, table: Table) -> Verdict:
    """Who may try the recipe, of a table that has quasi-identifiers; one at a time."""
    verdict = rules.may_try_recipe(user, table)
    if not verdict:
        return verdict
    if not columns_with_role(table, ColumnRole.QUASI):
        return deny(ProcessingReason.NOTHING_TO_FORECAST)
    if Forecast.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.FORECAST_UNDER_WAY)
    return ALLOW


def forecast_start(table: Table, *, attack: Mapping[str, Any], by: Person) -> tuple[Forecast, Job]:
    """Have each step of a table's current recipe carried out and measured, as a job; nothing of it is kept but figures.

    ``attack`` is what is assumed of the attacker, as :class:`Attack`; EngineError where it is out of range.
    """
    assumed = validated(Attack, dict(attack), "attack")
    with recording(events.FORECAST_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_forecast(by, table).require()
        recipe, dataset = current_recipe(project), dataset_now(table)
        assert recipe is not None  # as the rule requires
        assert dataset is not None
        forecast = Forecast.objects.create(
            project=project,
            recipe_version=recipe,
            dataset=dataset,
            number=result_number(Forecast, project),
            question={
                "quasi": columns_with_role(table, ColumnRole.QUASI),
                "sensitive": columns_with_role(table, ColumnRole.SENSITIVE),
                "attack": assumed.model_dump(mode="json"),
            },
            requested_by=by,
        )
        event.subject = forecast.subject
        event.facts.update(version=recipe.number, table=label_of(table))
        return forecast, result_queue(
            forecast, FORECAST_JOB, title=gettext_noop("Measure the planned steps"), by=by
        )


def forecast_complete(forecast: Forecast, *, result: dict[str, Any]) -> Forecast:
    """Record what was found; called once, in the transaction that ends the job."""
    facts: dict[str, Any] = {"number": len(result["steps"])}
    with recording(events.FORECAST_MEASURED, by=None, project_id=forecast.project_id, **facts) as event:
        forecast = result_lock(forecast)
        forecast.result = result
        forecast.content_hash = canonical_hash(result)
        result_end(forecast)
        event.subject = forecast.subject
        return forecast


def forecast_break_off(forecast: Forecast, *, code: str) -> None:
    """Record that there are no figures: the job failed or was cancelled."""
    result_break_off(forecast, events.FORECAST_BROKEN_OFF, code=code)
