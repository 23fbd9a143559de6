"""Who proposes a budget, who grants it, who asks, and when there is no answer.

Custody is divided: the planning manager proposes, a judge of the project grants, and never the same person under another account
either. A recipient asks while its release may be received, under an agreement whatever the way of sharing.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.core.selectors import role_of
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed
from projects.releases.models import Release
from projects.releases.rules import may_receive_agreed
from projects.workflow import Role, State

from .enums import Exhaustion, GrantStatus, QueryStatus
from .models import Grant, Query

DECIDING = (Role.SUPERVISOR, Role.MANAGEMENT)


class QueryReason(Reason):
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This proposal has already been decided.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")
    AMOUNT_INVALID = (
        "amount_invalid",
        _("An amount of ε must be above 0 and at most 1,000; a δ must be between 0 and 0.01."),
    )
    NO_ACCOUNT = "no_account", _("No budget has been granted for answers from this data set.")
    NO_ALLOTMENT = "no_allotment", _("No part of the budget has been granted to you.")
    STOPPED = "stopped", _("This account stops when it is spent: nothing more can be granted.")
    OTHER_ACCOUNT = (
        "other_account",
        _(
            "The same file has an account elsewhere, or a proposal for one; two accounts would mean two budgets for the same persons."
        ),
    )
    OTHER_COUNTING = (
        "other_counting",
        _(
            "The account was opened in the meantime and counts differently: reject this proposal and make a new one."
        ),
    )
    PERSONS_CHANGED = (
        "persons_changed",
        _(
            "Since answers were charged, it has been decided again whose rows these are. Those "
            "answers counted different persons, so no more answers are given from this account."
        ),
    )
    PARTS_SHARE_PERSONS = (
        "parts_share_persons",
        _(
            "This table has several rows per person, so its parts may have persons in common: costs cannot be counted part by part."
        ),
    )
    PARTS_UNSAID = (
        "parts_unsaid",
        _(
            "Nobody has decided that each row of this table is one person, so its parts may have "
            "persons in common: costs are not counted part by part until that is decided during "
            "identification."
        ),
    )
    PERSONS_UNSAID = "persons_unsaid", _("Nobody has stated whose rows this table contains.")
    DIRECT_IDENTIFIER = (
        "direct_identifier",
        _("“%(column)s” identifies persons directly; questions about it are not allowed."),
    )
    NO_SUCH_COLUMN = "no_such_column", _("There is no column “%(column)s”.")
    WRONG_RECIPIENT = "wrong_recipient", _("%(member)s is not a recipient of this project.")
    NO_LONGER = "no_longer", _("The question is no longer being answered.")
    BEING_ESTIMATED = (
        "being_estimated",
        _("Other answers are being estimated; wait until this finishes or cancel it."),
    )
    TOO_LARGE = "reports_too_large", _("The file is larger than 2 MB.")


def may_propose(user: Person, project: Project, recipient: Person | None = None) -> Verdict:
    verdict = first_denial(
        has_role(user, project, Role.PLANNER), in_state(project, State.APPROVED, State.MONITORING)
    )
    if verdict and recipient is not None and role_of(recipient, project) != Role.RECIPIENT:
        return deny(QueryReason.WRONG_RECIPIENT, member=str(recipient))
    return verdict


def may_print(user: Person, project: Project) -> Verdict:
    """The planning manager and those who grant, once an account was opened."""
    verdict = first_denial(
        has_role(user, project, Role.PLANNER, *DECIDING), in_state(project, State.APPROVED, State.MONITORING)
    )
    is_opened = (
        verdict and Grant.objects.filter(project=project, recipient=None, status=GrantStatus.GRANTED).exists()
    )
    return verdict if not verdict or is_opened else deny(QueryReason.NO_ACCOUNT)


def may_refuse(user: Person, grant: Grant) -> Verdict:
    """A judge, but never who proposed it."""
    verdict = has_role(user, grant.project, *DECIDING)
    if not verdict:
        return verdict
    if grant.status != GrantStatus.WAITING:
        return deny(QueryReason.DECIDED_ALREADY)
    return deny(QueryReason.OWN_PROPOSAL) if user.is_same_person(grant.proposed_by) else ALLOW


def may_grant(user: Person, grant: Grant) -> Verdict:
    return first_denial(may_refuse(user, grant), in_state(grant.project, State.APPROVED, State.MONITORING))


def may_ask(user: Person, release: Release) -> Verdict:
    """The recipient of a release that may be received, with an agreement in force, unless the approved target allows no questions."""
    verdict = may_receive_agreed(user, release)
    return act_allowed(release.project, Act.QUESTION) if verdict else verdict


def may_ask_for_more(user: Person, release: Release, opened: Grant | None) -> Verdict:
    verdict = may_ask(user, release)
    if not verdict:
        return verdict
    if opened is None:
        return deny(QueryReason.NO_ACCOUNT)
    return ALLOW if opened.exhaustion == Exhaustion.ASK else deny(QueryReason.STOPPED)


def may_read(user: Person, query: Query, release: Release) -> Verdict:
    """Who paid keeps the answer; who asked the same after another reads it while a question may be asked."""
    return may_ask(user, release) if query.status == QueryStatus.REPEATED else ALLOW


def may_answer(query: Query, release: Release) -> Verdict:
    """Whether everything that held for the question holds for its answer."""
    return first_denial(
        ALLOW if query.status == QueryStatus.RUNNING else deny(QueryReason.NO_LONGER),
        may_ask(query.recipient, release),
    )
