"""Who raises a finding, who puts it right, who checks the effect: never the one who put it right (12.3 d).

Auditors and external assessors read every project that they may see and judge none, but what they find they raise themselves.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Project
from projects.core.rules import CoreReason, has_role, may_see_inside
from projects.core.selectors import role_of
from projects.workflow import Role
from projects.workflow.posts import AppointedPost, Post

from .enums import CheckResult, FindingStatus, StepKind
from .models import CheckedStep, Finding, FindingStep, RecipientRemedy, SampleDeviation
from .received.enums import RemedyState

RAISING = (Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)
OWNING = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)
CHECKING = (Role.SUPERVISOR, Role.MANAGEMENT)
OUTSIDE_POSTS = (Post.AUDITOR, Post.ASSESSOR)


class FindingReason(Reason):
    NOT_OWNER = "not_the_owner", _("%(owner)s is responsible for correcting this.")
    NOT_OPEN = "finding_not_open", _("This finding is not open.")
    NOT_ACTED = "finding_not_acted", _("Nothing has been done yet whose effect could be checked.")
    OWN_ACTION = "own_action", _("You corrected it yourself; another person checks the effect.")
    OWNER_OUTSIDE = "owner_outside", _("%(member)s has no role in this project that could correct it.")
    DUE_IN_PAST = "due_in_past", _("The day is in the past.")
    ORIGIN_UNKNOWN = "origin_unknown", _("The source of the finding does not belong to this project.")
    NOT_AN_AUDITOR = "not_an_auditor", _("Only auditors draw and record spot checks.")
    NOTHING_RELEASED = "nothing_released", _("Nothing has been released yet whose records could be checked.")
    CHECKED_ALREADY = "checked_already", _("This step has already been checked.")
    TEXT_NEEDED = "text_needed", _("State it in words.")
    REMEDY_OPEN = (
        "remedy_not_confirmed",
        _("A recipient found this: it is closed once the supervisor has confirmed what the recipient did."),
    )


def may_raise(user: Person, project: Project) -> Verdict:
    """Who judges or plans in the project, and who looks on from outside it; in any state, closed ones included."""
    if user.is_active and user.post in OUTSIDE_POSTS and may_see_inside(user, project):
        return ALLOW
    return has_role(user, project, *RAISING)


def may_own(user: Person, project: Project) -> Verdict:
    if user.is_active and role_of(user, project) in OWNING:
        return ALLOW
    return deny(FindingReason.OWNER_OUTSIDE, member=str(user))


def may_assign(user: Person, finding: Finding) -> Verdict:
    """Another owner or another day: the planning manager, the supervisor and who raised it, until it is put right."""
    if user.pk != finding.raised_by_id or not may_raise(user, finding.project):
        verdict = has_role(user, finding.project, Role.PLANNER, Role.SUPERVISOR)
        if not verdict:
            return verdict
    return _is_open(finding)


def may_act(user: Person, finding: Finding) -> Verdict:
    """Its owner, while they work on the project."""
    verdict = has_role(user, finding.project, *OWNING)
    if not verdict:
        return verdict
    if user.pk != finding.owner_id:
        return deny(FindingReason.NOT_OWNER, owner=str(finding.owner))
    return _is_open(finding)


def _is_open(finding: Finding) -> Verdict:
    return ALLOW if finding.status == FindingStatus.OPEN else deny(FindingReason.NOT_OPEN)


def may_check(user: Person, finding: Finding) -> Verdict:
    """A judge of the project, or who raised it from outside; never who put it right, under another account either."""
    outside = user.pk == finding.raised_by_id and user.post in OUTSIDE_POSTS
    verdict = may_raise(user, finding.project) if outside else has_role(user, finding.project, *CHECKING)
    if not verdict:
        return verdict
    if finding.status != FindingStatus.ACTED:
        return deny(FindingReason.NOT_ACTED)
    # Who put it right before it was given to another owner has acted on it all the same.
    acted = FindingStep.objects.filter(finding=finding, kind=StepKind.ACTION).select_related("by")
    if any(user.is_same_person(one) for one in (finding.owner, *(step.by for step in acted))):
        return deny(FindingReason.OWN_ACTION)
    return ALLOW


def may_close(user: Person, finding: Finding) -> Verdict:
    """Who may check, once what a recipient did about what they found is confirmed."""
    verdict = may_check(user, finding)
    if not verdict:
        return verdict
    confirmed = RecipientRemedy.objects.filter(deviation__ticket=finding, state=RemedyState.CONFIRMED)
    if SampleDeviation.objects.filter(ticket=finding).exists() and not confirmed.exists():
        return deny(FindingReason.REMEDY_OPEN)
    return ALLOW


def may_draw(user: Person) -> Verdict:
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    audits = user.post == Post.AUDITOR and user.holds(AppointedPost.AUDITOR)
    return ALLOW if audits else deny(FindingReason.NOT_AN_AUDITOR)


def may_record(user: Person, step: CheckedStep) -> Verdict:
    verdict = may_draw(user)
    if not verdict:
        return verdict
    return ALLOW if step.result == CheckResult.OPEN else deny(FindingReason.CHECKED_ALREADY)
