"""Who proposes an amendment, who reviews it, and who decides."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.rules import has_role, in_state
from projects.objective.rules import ObjectiveReason
from projects.workflow import Role, State

from ..enums import AmendmentKind, AmendmentOutcome
from ..models import Amendment, Reassessment
from ..reasons import MonitoringReason


class AmendmentReason(Reason):
    NOTHING_CHANGES = (
        "nothing_amended",
        _("This is what the release is measured by already; nothing was proposed."),
    )
    JUDGED_ALREADY = "amendment_judged_already", _("This amendment has already been judged.")
    NOT_REVIEWED = "amendment_not_reviewed", _("The supervisor has not reviewed this amendment yet.")
    OWN_WORK = (
        "own_amendment",
        _("You proposed or reviewed this amendment yourself; another person judges it."),
    )
    OTHER_CONTENT = (
        "other_amendment",
        _("What you judged is not what is now proposed. Nothing was recorded."),
    )


def may_propose(user: Person, reassessment: Reassessment, kind: AmendmentKind | None = None) -> Verdict:
    """The planning manager, while the re-assessment is open."""
    verdict = first_denial(has_role(user, reassessment.project, Role.PLANNER), _open(reassessment))
    public = reassessment.project.sharing_type == SharingType.PUBLIC
    if verdict and kind == AmendmentKind.SURROUNDINGS and public:
        return deny(ObjectiveReason.PUBLIC_CONTEXT)
    return verdict


def may_review(user: Person, amendment: Amendment) -> Verdict:
    """The supervisor, once, and never who proposed it."""
    verdict = first_denial(
        has_role(user, amendment.project, Role.SUPERVISOR), _open(amendment.reassessment, amendment)
    )
    if verdict and amendment.outcome != AmendmentOutcome.WAITING:
        return deny(AmendmentReason.JUDGED_ALREADY)
    return _not_own(user, amendment) if verdict else verdict


def may_decide(user: Person, amendment: Amendment) -> Verdict:
    """Senior management, after the review, and neither who proposed nor who reviewed it."""
    verdict = first_denial(
        has_role(user, amendment.project, Role.MANAGEMENT), _open(amendment.reassessment, amendment)
    )
    if verdict and amendment.outcome != AmendmentOutcome.REVIEWED:
        waits = amendment.outcome == AmendmentOutcome.WAITING
        return deny(AmendmentReason.NOT_REVIEWED if waits else AmendmentReason.JUDGED_ALREADY)
    return _not_own(user, amendment) if verdict else verdict


def _open(reassessment: Reassessment, amendment: Amendment | None = None) -> Verdict:
    verdict = in_state(amendment.project if amendment else reassessment.project, State.MONITORING)
    if not verdict:
        return verdict
    if reassessment.concluded_at is not None:
        return deny(MonitoringReason.CONCLUDED)
    if reassessment.release.ended_at is not None:
        return deny(MonitoringReason.NO_RELEASE)
    return deny(MonitoringReason.NOT_OPEN) if reassessment.opened_at is None else ALLOW


def _not_own(user: Person, amendment: Amendment) -> Verdict:
    others = filter(None, (amendment.proposed_by, amendment.reviewed_by))
    return deny(AmendmentReason.OWN_WORK) if any(user.is_same_person(one) for one in others) else ALLOW
