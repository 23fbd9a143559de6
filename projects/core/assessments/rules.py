"""Who orders an outside assessment, of whom, who reports, and who ends it: never those whose work is assessed."""

from __future__ import annotations

from datetime import date

from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow import Role
from projects.workflow.posts import Post

from ..models import Project
from ..rules import has_role
from ..selectors import members_by_role
from .models import AssessmentOrder
from .selectors import is_ordered

ORDERING = (Role.SUPERVISOR, Role.MANAGEMENT)


class AssessmentReason(Reason):
    NOT_AN_ASSESSOR = "not_an_assessor", _("%(person)s is no external assessor whose time has not run out.")
    WORKS_HERE = "assessor_works_here", _("%(person)s works on this project under another account.")
    ORDERED_ALREADY = "assessment_ordered", _("%(person)s already has an order to assess this project.")
    NOT_ORDERED = (
        "assessment_not_ordered",
        _("%(person)s has no order to assess this project; the supervisor or senior management gives one."),
    )
    DAY_WRONG = (
        "assessment_day",
        _("The last day is not before today, and not after the assessor's own: %(day)s."),
    )
    NOT_THEIRS = "assessment_not_yours", _("The external assessor who has the order reports.")
    OVER = "assessment_over", _("This order is over.")
    REPORTED = "assessment_reported", _("The report is written once.")
    TEXT_NEEDED = "assessment_text_needed", _("State it in words.")


def may_order(user: Person, project: Project) -> Verdict:
    """The supervisor and senior management, in any state: not who plans or does what is assessed."""
    return has_role(user, project, *ORDERING)


def may_assess(person: Person, project: Project) -> Verdict:
    """An external assessor while they are one, who is nobody of the project under another account."""
    if person.post != Post.ASSESSOR or not person.is_active or not person.assesses:
        return deny(AssessmentReason.NOT_AN_ASSESSOR, person=str(person))
    team = [one for members in members_by_role(project).values() for one in members]
    if any(person.is_same_person(one) for one in team):
        return deny(AssessmentReason.WORKS_HERE, person=str(person))
    return ALLOW


def may_be_ordered(person: Person, project: Project, until: date) -> Verdict:
    verdict = may_assess(person, project)
    if not verdict:
        return verdict
    if is_ordered(person, project):
        return deny(AssessmentReason.ORDERED_ALREADY, person=str(person))
    if until < localdate() or (person.access_until is not None and until > person.access_until):
        return deny(AssessmentReason.DAY_WRONG, day=f"{person.access_until}")
    return ALLOW


def may_report(user: Person, order: AssessmentOrder) -> Verdict:
    """Who has the order, once, while it lasts."""
    if user.pk != order.assessor_id:
        return deny(AssessmentReason.NOT_THEIRS)
    if order.conclusion:
        return deny(AssessmentReason.REPORTED)
    if not order.is_in_force:
        return deny(AssessmentReason.OVER)
    return may_assess(user, order.project)


def may_end(user: Person, order: AssessmentOrder) -> Verdict:
    verdict = may_order(user, order.project)
    return deny(AssessmentReason.OVER) if verdict and order.ended_at is not None else verdict
