"""What the review of a verification waits for where the target asks that people try it: a concluded test of exactly this result."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from projects.core.evidence import Missing, demands
from projects.core.models import Project
from projects.core.pages import Pointer, points_from
from projects.core.rules import set_testers_source
from projects.processing.runs.selectors import latest_run
from projects.verification.selectors import latest_verification, reads_along
from projects.workflow import Evidence, Stage, State
from techniques.disclosure_risk.sizes import keeps

from .invitations.selectors import was_invited
from .models import IntruderTest
from .presentation import outcome, wanted
from .selectors import bound_of, concluded_about, rate_of

_JUDGED = (State.VERIFICATION_REVIEW, State.RELEASE_APPROVAL)
_CONCLUDED = IntruderTest.objects.filter(run=OuterRef("run"), closed_at__isnull=False)
reads_along("was_tried", Exists(_CONCLUDED))
set_testers_source(was_invited)


@demands(Evidence.GATE_PASSED)
def tried_by_people(project: Project) -> Missing:
    bound = bound_of(project)
    if bound is None:
        return []
    test = _concluded(project)
    if test is None:
        return [_("A concluded intruder test of the current result. %(wanted)s") % {"wanted": wanted(bound)}]
    claims = list(test.claims.all())
    rate = rate_of(test, claims)
    assert rate is not None  # it is concluded
    if keeps(rate.value, bound):
        return []
    return [
        _("An intruder test within its target. Of this result: %(outcome)s. %(wanted)s")
        % {"outcome": outcome(test, claims), "wanted": wanted(bound)}
    ]


@points_from(Stage.VERIFICATION)
def intruders_pointer(project: Project) -> Pointer | None:
    """The way to the page: where the result waits for a test, and for who judges the result, where people have tried it."""
    title = text = ""
    if project.state == State.VERIFICATION and (missing := tried_by_people(project)):
        title, text = _("The result waits for an intruder test"), str(missing[0])
    elif project.state in _JUDGED and _was_tried(project) and (test := _concluded(project)) is not None:
        title, text = (
            _("People have tried to recognise somebody in this result"),
            outcome(test, test.claims.all()),
        )
    if not title:
        return None
    url = reverse("intrusion:page", kwargs={"project_id": project.pk})
    return Pointer(title=title, text=text, url=url, label=_("Intruder tests"))


def _was_tried(project: Project) -> bool:
    """Whether there is a concluded test of the result that is judged."""
    newest = latest_verification(project)
    return newest is not None and bool(newest.was_tried)  # type: ignore[attr-defined]


def _concluded(project: Project) -> IntruderTest | None:
    run = latest_run(project)
    return concluded_about(run) if run is not None else None
