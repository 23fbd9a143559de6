"""Who asks an external assessor, whom, and who answers: nobody who works on the project, and only about what waits for its signature."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.assessments.rules import AssessmentReason, may_assess
from projects.core.assessments.selectors import is_ordered
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.workflow import STATES, Role, Stage

from ...selectors import current_verification
from .models import UtilityOpinion

ASKING = (Role.PLANNER, Role.SUPERVISOR)
UNSIGNED = tuple(state for state, row in STATES.items() if row.stage == Stage.VERIFICATION)
"""Where a measured result has not been signed yet."""


class OpinionReason(Reason):
    NOTHING_MEASURED = "nothing_to_judge", _("There is no measured result that could be judged now.")
    REQUESTED_ALREADY = "asked_already", _("%(person)s has already been asked about this result.")
    NOT_REQUESTED = "not_asked", _("Only the external assessor who was asked answers.")
    ANSWERED = "opinion_given", _("You have already answered.")
    OTHER_RESULT = "other_result", _("Another result has been measured since this was asked.")
    TEXT_NEEDED = "opinion_text_needed", _("State it in words.")


def may_ask(user: Person, project: Project) -> Verdict:
    """The planning manager or the supervisor, while a measured result has not been signed yet."""
    verdict = first_denial(
        has_role(user, project, *ASKING),
        in_state(project, *UNSIGNED),
    )
    if verdict and current_verification(project) is None:
        return deny(OpinionReason.NOTHING_MEASURED)
    return verdict


def may_judge(person: Person, project: Project) -> Verdict:
    """An external assessor who has an order to assess the project, and is nobody of it under another account."""
    verdict = may_assess(person, project)
    if verdict and not is_ordered(person, project):
        return deny(AssessmentReason.NOT_ORDERED, person=str(person))
    return verdict


def may_answer(user: Person, opinion: UtilityOpinion) -> Verdict:
    """Who was asked, once, as long as the result that they were asked about is the one that waits."""
    if user.pk != opinion.assessor_id:
        return deny(OpinionReason.NOT_REQUESTED)
    if opinion.verdict:
        return deny(OpinionReason.ANSWERED)
    verdict = first_denial(may_judge(user, opinion.project), in_state(opinion.project, *UNSIGNED))
    if not verdict:
        return verdict
    current = current_verification(opinion.project)
    is_current = current is not None and current.pk == opinion.verification_id
    return ALLOW if is_current else deny(OpinionReason.OTHER_RESULT)
