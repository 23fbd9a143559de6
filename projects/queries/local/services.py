"""Who may have collected answers read, and the only writer of what was estimated from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import Refused, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.core.services import project_lock
from projects.datasets.store.store import store_remove, store_write
from projects.jobs.models import Job
from projects.jobs.results import result_end, result_lock, result_number, result_queue
from projects.workflow import ACTIVE, STATES, Role, Stage
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .. import events
from ..models import LocalEstimate
from ..rules import QueryReason

ESTIMATE_JOB = "queries.local_estimate"
UPLOAD_LIMIT = 2 << 20
PURPOSE = "reports"
_AGREED = tuple(state for state in ACTIVE if STATES[state].stage != Stage.OBJECTIVE)
"""From when the plan, and with it what is collected, was approved."""


def estimates_of(project: Project) -> QuerySet[LocalEstimate]:
    """All of them, newest first."""
    return LocalEstimate.objects.filter(project=project).select_related("project", "requested_by")


def may_estimate(user: Person, project: Project) -> Verdict:
    """The executor, once the plan was approved."""
    verdict = first_denial(has_role(user, project, Role.EXECUTOR), in_state(project, *_AGREED))
    if verdict and LocalEstimate.objects.filter(project=project, ended_at=None).exists():
        return deny(QueryReason.BEING_ESTIMATED)
    return verdict


def estimate_start(
    project: Project,
    *,
    title: str,
    content: bytes,
    survey: Mapping[str, Any],
    column: str,
    person_key: Sequence[str],
    by: Person,
) -> tuple[LocalEstimate, Job]:
    """Have the answers in a CSV file read and estimated, as a job. ``survey`` is the engine's, checked. A file that is not taken does
    not stay."""
    may_estimate(by, project).require()
    if len(content) > UPLOAD_LIMIT:
        raise Refused(deny(QueryReason.TOO_LARGE))
    with store_write(PURPOSE) as writer:
        writer.write(content)
    try:
        with recording(events.LOCAL_STARTED, by=by, project_id=project.pk) as event:
            project = project_lock(project)
            may_estimate(by, project).require()
            estimate = LocalEstimate.objects.create(
                project=project,
                number=result_number(LocalEstimate, project),
                title=title.strip()[:120],
                survey=dict(survey),
                column=column,
                person_key=list(person_key),
                stored=writer.stored,
                requested_by=by,
            )
            event.subject = estimate.subject
            event.facts.update(epsilon=str(survey["epsilon"]))
            return estimate, result_queue(
                estimate, ESTIMATE_JOB, title=gettext_noop("Estimate from randomised answers"), by=by
            )
    except BaseException:
        store_remove(writer.stored)
        raise


def estimate_complete(estimate: LocalEstimate, *, result: dict[str, Any]) -> None:
    """Record what was estimated and let the answers go; called once, in the transaction that ends the job."""
    facts: dict[str, Any] = {"number": result["answers"]}
    with recording(events.LOCAL_ESTIMATED, by=None, project_id=estimate.project_id, **facts) as event:
        estimate = result_lock(estimate, "stored")
        stored, estimate.stored = estimate.stored, None
        estimate.result = result
        estimate.content_hash = canonical_hash(result)
        result_end(estimate)
        if stored is not None:
            store_remove(stored)
        event.subject = estimate.subject


def estimate_break_off(estimate: LocalEstimate, *, code: str) -> None:
    """Record that nothing was estimated; the answers go all the same."""
    stored = estimate.stored
    with recording(events.LOCAL_BROKEN_OFF, by=None, about=estimate, code=code):
        LocalEstimate.objects.filter(pk=estimate.pk).update(ended_at=timezone.now(), stored=None)
    if stored is not None:
        store_remove(stored)
