"""Who opens an intruder test, records what its testers claim, checks it, and concludes it: never one person alone."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state, may_see_inside
from projects.processing.runs.selectors import latest_run
from projects.workflow import ACTIVE, Role, State
from projects.workflow.posts import Post

from .enums import ClaimVerdict
from .models import IntruderClaim, IntruderTest


class IntrusionReason(Reason):
    NO_RESULT = "no_result_to_attack", _("There is no result of the current data to try it on.")
    ONE_OPEN = "intruder_test_open", _("An intruder test is under way already.")
    CLOSED = "intruder_test_closed", _("This intruder test is concluded.")
    UNCHECKED = "claims_unchecked", _("Some claims have not been checked yet.")
    NOTHING_TO_CHECK = "no_claim_waits", _("No claim waits to be checked.")
    OWN_CLAIM = "own_claim", _("You recorded this claim yourself; another person checks it.")
    CHECKED_ALREADY = "claim_checked_already", _("This claim has been checked already.")
    CLAIMED_ALREADY = "record_claimed_already", _("There is a claim about this record already.")
    NO_SUCH_RECORD = "no_such_record", _("The result has no record of this number.")
    FEWER_THAN_CLAIMS = "fewer_than_claims", _("More persons were claimed than they tried to recognise.")
    RESULT_ALTERED = (
        "tested_result_altered",
        _("The stored result is not what the run wrote any more; nobody is shown it."),
    )
    SAY_IT = "intruder_text_needed", _("Say it in words.")


def may_open(user: Person, project: Project) -> Verdict:
    """The supervisor, while the result is verified; one at a time."""
    verdict = first_denial(has_role(user, project, Role.SUPERVISOR), in_state(project, State.VERIFICATION))
    if not verdict:
        return verdict
    if latest_run(project) is None:
        return deny(IntrusionReason.NO_RESULT)
    is_open = IntruderTest.objects.filter(project=project, closed_at=None).exists()
    return deny(IntrusionReason.ONE_OPEN) if is_open else ALLOW


def may_claim(user: Person, test: IntruderTest) -> Verdict:
    """The supervisor, or an external assessor who looks on: never who worked on the data."""
    is_assessor = user.is_active and user.post == Post.ASSESSOR and bool(may_see_inside(user, test.project))
    verdict = ALLOW if is_assessor else has_role(user, test.project, Role.SUPERVISOR)
    return verdict and goes_on(test)


def may_check(user: Person, test: IntruderTest, waiting: bool) -> Verdict:
    """The executor, who has the source, as long as there are claims ``waiting``."""
    verdict = has_role(user, test.project, Role.EXECUTOR)
    verdict = verdict and goes_on(test)
    if not verdict:
        return verdict
    return ALLOW if waiting else deny(IntrusionReason.NOTHING_TO_CHECK)


def may_check_claim(user: Person, claim: IntruderClaim) -> Verdict:
    """Nobody checks what they recorded, and each claim is checked once."""
    if claim.verdict != ClaimVerdict.WAITING:
        return deny(IntrusionReason.CHECKED_ALREADY)
    return deny(IntrusionReason.OWN_CLAIM) if user.is_same_person(claim.made_by) else ALLOW


def may_close(user: Person, test: IntruderTest, waiting: bool) -> Verdict:
    """The supervisor, once no claim is ``waiting`` to be checked."""
    verdict = has_role(user, test.project, Role.SUPERVISOR)
    verdict = verdict and goes_on(test)
    if not verdict:
        return verdict
    return deny(IntrusionReason.UNCHECKED) if waiting else ALLOW


def goes_on(test: IntruderTest) -> Verdict:
    """Whether something can still be tried, claimed and checked."""
    if test.closed_at is not None:
        return deny(IntrusionReason.CLOSED)
    return in_state(test.project, *(State(state) for state in ACTIVE))
