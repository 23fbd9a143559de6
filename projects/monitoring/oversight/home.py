"""What of the records of stages stands on a person's home page: senior management may review what its supervisor has passed (5.6.1)."""

from __future__ import annotations

from django.db.models import Case, CharField, Exists, ExpressionWrapper, OuterRef, Q, Subquery, When
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.decisions.models import ManagementReview, Review, ReviewOutcome
from approvals.governance.person import Person
from projects.core.selectors import reads_along, waiting_since
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import REVIEW_STATES, STATES, Role, Stage, State
from projects.workflow.states import ACTIVE


def _beyond(review: State) -> list[State]:
    """Where the project goes on after the stage that is reviewed in ``review``; back in the stage, nobody stands for it."""
    order = list(STATES)
    return [state for state in ACTIVE if order.index(state) > order.index(review)]


def _same_person(name: str) -> Q:
    """That ``name`` of a review is the member, under this account or another one."""
    member = OuterRef(OuterRef("user"))
    return Q(**{name: member}) | Q(**{f"{name}__person": OuterRef(OuterRef("user__person"))})


_OF_STAGE = Review.objects.filter(project_id=OuterRef("project_id"), stage=OuterRef("stage"))
_TOOK_PART = _OF_STAGE.filter(
    _same_person("submitted_by") | _same_person("reviewed_by") | _same_person("in_stead_of")
)
_GOES_ON = Q()
for _state in REVIEW_STATES:
    _GOES_ON |= Q(stage=STATES[_state].stage, project_state__in=_beyond(_state))
# Which supervisors passed last, and nobody of senior management has reviewed since; what may_review_records asks, without the content.
_WAITING = (
    Review.objects.annotate(project_state=ExpressionWrapper(OuterRef("project__state"), CharField()))
    .filter(_GOES_ON, project_id=OuterRef("project"), outcome=ReviewOutcome.PASSED)
    .exclude(Exists(ManagementReview.objects.filter(review=OuterRef("pk"))))
    .exclude(Exists(_OF_STAGE.filter(recorded_at__gt=OuterRef("recorded_at"))))
    .exclude(Exists(_TOOK_PART))
    .order_by("recorded_at")
)
_MANAGES = Q(role=Role.MANAGEMENT)
reads_along("records_passed_at", Case(When(_MANAGES, then=Subquery(_WAITING.values("recorded_at")[:1]))))
reads_along("records_stage", Case(When(_MANAGES, then=Subquery(_WAITING.values("stage")[:1]))))


@task_provider
def records_to_review(user: Person) -> list[Task]:
    """One task for all stages of a project, which leads to the first that was passed: nothing more is read for it. No step waits for it."""
    return [
        Task(
            _("Review the records of the stages that have passed"),
            reverse("monitoring:oversight", args=[held.project_id, held.records_stage]),  # type: ignore[attr-defined]
            due=since,
            tone="info",
            word=_("Your review"),
            project=str(held.project),
            hint=_("first: %(stage)s") % {"stage": Stage(held.records_stage).label},  # type: ignore[attr-defined]
            icon="eye",
            rank=60,
        )
        for held, since in waiting_since(user.pk, Role.MANAGEMENT, "records_passed_at")
    ]
