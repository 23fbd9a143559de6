"""Reading samples of a result, and the run from whose result is drawn."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.db.models import Prefetch, QuerySet

from projects.core.models import Project
from projects.datasets.store.store import store_open
from projects.processing.models import Run
from projects.processing.runs.selectors import latest_run
from projects.releases.selectors import current_release
from projects.workflow import State

from .models import ResultDeviation, ResultSample


def run_inspected(project: Project) -> Run | None:
    """The run whose result is released, once it is; else the latest one."""
    if project.state == State.MONITORING and (release := current_release(project)) is not None:
        return Run.objects.select_related("project").filter(pk=release.run_id).first()
    return latest_run(project)


def result_samples_of(project: Project) -> QuerySet[ResultSample]:
    """All of them with what was found, the newest first."""
    found = ResultSample.objects.filter(project=project)
    related = found.select_related("project", "run__project", "drawn_by", "reported_by", "content")
    return related.prefetch_related(
        Prefetch("deviations", ResultDeviation.objects.select_related("ticket__project"))
    )


def result_sample_get(project: Project, sample_id: uuid.UUID) -> ResultSample:
    return result_samples_of(project).get(pk=sample_id)


def result_sample_alone(project: Project, sample_id: uuid.UUID) -> ResultSample:
    """The same without what was found in it."""
    return ResultSample.objects.select_related("project").get(project=project, pk=sample_id)


def rows_of(sample: ResultSample) -> dict[str, Any]:
    """``columns`` and ``rows`` of the records that were drawn; for services only."""
    assert sample.content is not None  # the rule has just said so
    with store_open(sample.content, whole=True) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found
