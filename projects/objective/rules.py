"""Who may write the target, and who may decide about the plan."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import SignOff
from approvals.decisions.selectors import open_signoff
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.rules import acts_as, has_role, in_state, may_act_in
from projects.workflow import STATES, Role, State

from .models import ProjectNeed
from .selectors import plan_hash

PLAN = STATES[State.PLAN_APPROVAL].signs


class ObjectiveReason(Reason):
    SHARING_FIRST = "sharing_first", _("Choose the sharing type first: it sets the targets.")
    IRREVOCABLE = (
        "irrevocable",
        _("Confirm that you understand that completely public data can never be recalled."),
    )
    PUBLIC_CONTEXT = (
        "public_context",
        _("With completely public data somebody will try: the probability of an attempt is 1."),
    )
    NO_ASSESSMENT = "no_assessment", _("The surroundings have not been assessed yet.")
    NO_REQUEST = "no_request", _("No plan is waiting for a decision.")
    OTHER_PLAN = (
        "other_plan",
        _(
            "A different version of the plan is now waiting for a decision from the one the page showed. Read it first."
        ),
    )
    PLAN_CHANGED = "plan_changed", _("The plan changed after it was submitted; it has to be submitted again.")
    NOTHING_TO_SAVE = (
        "nothing_to_save",
        _(
            "A template needs a target whose sharing type is not completely public: that is confirmed each time. Write the target first."
        ),
    )
    SAVED_NAME_NEEDED = "saved_plan_name_needed", _("Give the template a name.")
    SAVED_NAME_TAKEN = (
        "saved_plan_name_taken",
        _("You have already saved a template under this name; choose another name or withdraw that one."),
    )
    SAVED_BY_ANOTHER = "saved_plan_by_another", _("Only the person who saved a template can withdraw it.")
    NO_NEED = "no_need", _("No need is waiting for an answer.")
    OTHER_NEED = "other_need", _("The need has been raised anew since you opened the page. Read it first.")
    NOT_OWN_NEED = "not_own_need", _("Nobody answers a need that they raised.")
    NOT_OWN_WORK = "not_own_work", _("Nobody may decide on a plan that they submitted.")


def may_edit(user: Person, project: Project) -> Verdict:
    """The planning manager, and the executor who drafts it for them (6.1 b), while the target is being determined.

    Only the planning manager submits it: by that they answer for what somebody else has drafted.
    """
    return first_denial(
        acts_as(user, project, Role.PLANNER, Role.EXECUTOR), in_state(project, State.OBJECTIVE_DRAFT)
    )


def may_edit_after_sharing(user: Person, project: Project) -> Verdict:
    verdict = may_edit(user, project)
    if verdict and not project.sharing_type:
        return deny(ObjectiveReason.SHARING_FIRST)
    return verdict


def may_look_up(user: Person, project: Project) -> Verdict:
    """The planning manager alone: what is found and may be seen is named to all who see the project."""
    return first_denial(acts_as(user, project, Role.PLANNER), may_edit_after_sharing(user, project))


def may_decide(user: Person, project: Project) -> Verdict:
    """Senior management, while the plan awaits approval, about exactly the version that was submitted."""
    verdict = may_act_in(user, project, State.PLAN_APPROVAL)
    if not verdict:
        return verdict
    return _may_sign(user, open_signoff(project.pk, PLAN), plan_hash(project))


def _may_sign(user: Person, request: SignOff | None, current: str) -> Verdict:
    if request is None:
        return deny(ObjectiveReason.NO_REQUEST)
    if request.subject_hash != current:
        return deny(ObjectiveReason.PLAN_CHANGED)
    if user.is_same_person(request.submitted_by):
        return deny(ObjectiveReason.NOT_OWN_WORK)
    return ALLOW


def may_assess(user: Person, project: Project) -> Verdict:
    """Who may write the target, while it is being determined, where there is a recipient to judge."""
    verdict = may_edit_after_sharing(user, project)
    if verdict and project.sharing_type == SharingType.PUBLIC:
        return deny(ObjectiveReason.PUBLIC_CONTEXT)
    return verdict


def may_raise_need(user: Person, project: Project) -> Verdict:
    """The executor, while the target is being determined."""
    return first_denial(has_role(user, project, Role.EXECUTOR), in_state(project, State.OBJECTIVE_DRAFT))


def may_answer_need(user: Person, project: Project, need: ProjectNeed | None) -> Verdict:
    """The planning manager themself, while the target is being determined: the newest need, once."""
    verdict = first_denial(has_role(user, project, Role.PLANNER), may_edit(user, project))
    if not verdict:
        return verdict
    if need is None or need.is_accepted is not None:
        return deny(ObjectiveReason.NO_NEED)
    if user.is_same_person(need.raised_by):
        return deny(ObjectiveReason.NOT_OWN_NEED)
    return ALLOW
