"""Who may have the load of a recipe measured, and the only writer of what was found."""

from __future__ import annotations

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
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from ... import events, rules
from ...models import LoadMeasurement
from ...rules import ProcessingReason
from ..selectors import current_recipe

LOAD_JOB = "processing.load"


def measurements_of(project: Project) -> QuerySet[LoadMeasurement]:
    """All of them, newest first."""
    return LoadMeasurement.objects.filter(project=project).select_related(
        "project", "recipe_version", "dataset__table", "requested_by"
    )


def may_measure_load(user: Person, table: Table) -> Verdict:
    """Who may try the recipe; one at a time."""
    verdict = rules.may_try_recipe(user, table)
    if not verdict:
        return verdict
    if LoadMeasurement.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.LOAD_UNDER_WAY)
    return ALLOW


def load_start(table: Table, *, rows: int, by: Person) -> tuple[LoadMeasurement, Job]:
    """Have a table's current recipe carried out on samples of at most ``rows`` rows, as a job; nothing of it is kept but figures."""
    with recording(events.LOAD_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_measure_load(by, table).require()
        recipe, dataset = current_recipe(project), dataset_now(table)
        assert recipe is not None  # as the rule requires
        assert dataset is not None
        measurement = LoadMeasurement.objects.create(
            project=project,
            recipe_version=recipe,
            dataset=dataset,
            number=result_number(LoadMeasurement, project),
            most_rows=rows,
            requested_by=by,
        )
        event.subject = measurement.subject
        event.facts.update(version=recipe.number, table=label_of(table))
        return measurement, result_queue(
            measurement, LOAD_JOB, title=gettext_noop("Measure the load on samples"), by=by
        )


def load_complete(measurement: LoadMeasurement, *, result: dict[str, Any]) -> LoadMeasurement:
    """Record what was found; called once, in the transaction that ends the job."""
    facts: dict[str, Any] = {"rows": result["samples"][-1]["rows"]}
    with recording(events.LOAD_MEASURED, by=None, project_id=measurement.project_id, **facts) as event:
        measurement = result_lock(measurement)
        measurement.result = result
        measurement.content_hash = canonical_hash(result)
        result_end(measurement)
        event.subject = measurement.subject
        return measurement


def load_break_off(measurement: LoadMeasurement, *, code: str) -> None:
    """Record that there are no figures: the job failed or was cancelled."""
    result_break_off(measurement, events.LOAD_BROKEN_OFF, code=code)
