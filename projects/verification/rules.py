"""Who may measure, and who may decide about a release."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import has_signed, open_signoff, signoffs_of
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from approvals.request_cache import one_reading
from projects.core.evidence import demanded, evidence_state
from projects.core.models import Project
from projects.core.numbers import number
from projects.core.rules import (
    CoreReason,
    acts_as,
    deny_missing,
    has_role,
    in_state,
    may_act_in,
    may_hand_on,
    may_see_inside,
    stead_of,
)
from projects.workflow import MOVES, Evidence, Move, Role, Stage, State, stage_states
from projects.workflow.posts import Post

from .models import Verification
from .selectors import current_verification, latest_verification
from .sign_off.related import Related
from .sign_off.signers import RELEASE as RELEASE


class VerificationReason(Reason):
    UNDER_WAY = "under_way", _("A verification is in progress; wait for it or cancel it.")
    NOTHING_TO_SIGN = "nothing_to_sign", _("There is no verified result waiting for a decision.")
    NOT_PASSED = "not_passed", _("A report can only be printed once a measurement has passed every check.")
    OTHER_CONTENT = (
        "other_content",
        _("What you saw is no longer the current content. Read the page again before you decide."),
    )
    OWN_WORK = "own_work", _("Nobody may decide on what they submitted themselves.")
    SIGNED_ALREADY = (
        "signed_already",
        _("You have signed this result already; one person signs it once. Others still have to sign."),
    )
    ENOUGH_SIGNED = (
        "enough_signed",
        _("All %(needed)s signatures that this result needs have been given; no further one is taken."),
    )
    DEGREE_NOT_ACCEPTED = (
        "degree_not_accepted",
        _(
            "The degree of anonymisation by T/ISC 0078 is %(degree)s, below 1. Approving the result "
            "requires a separate reason why that is accepted."
        ),
    )
    RELATED_MEASURING = (
        "related_measuring",
        _(
            "What the result reveals together with related releases is being measured. Approve it once that is known."
        ),
    )
    RELATED_NOT_ACCEPTED = (
        "related_not_accepted",
        _(
            "Related releases reveal more together with this result, or that was not measured. Approving the result requires "
            "a separate reason why that is accepted."
        ),
    )
    OTHER_RELATED = (
        "other_related",
        _(
            "Other related releases are to be accepted now than those that you saw. Read the page again before you decide."
        ),
    )
    SIGNED_WITHOUT_RELATED = (
        "signed_without_related",
        _(
            "%(signer)s signed without accepting every related release that is to be accepted now. Return the result, so that "
            "everybody signs knowing of them."
        ),
    )
    NO_RELATED_TO_ACCEPT = (
        "no_related_to_accept",
        _(
            "A reason why related releases are accepted is required only when approving a result with which they reveal more "
            "together, or where that was not measured."
        ),
    )
    NOTHING_TO_ACCEPT = (
        "nothing_to_accept",
        _(
            "A reason for acceptance is required only when approving a result whose degree of anonymisation is below 1."
        ),
    )
    TOO_FEW_CANDIDATES = (
        "too_few_candidates",
        _(
            "At least two successful runs of different recipes on the current data are needed for a comparison."
        ),
    )
    TOO_MANY_CANDIDATES = ("too_many_candidates", _("At most %(most)s candidates are compared at a time."))
    COMPARISON_UNDER_WAY = "comparison_under_way", _("A comparison is in progress; wait for it or cancel it.")
    NOTHING_TO_TRY = (
        "nothing_to_try",
        _("There is no result for the current data and verdicts yet. Run the recipe first."),
    )
    TRIAL_UNDER_WAY = "trial_under_way", _("A trial is in progress; wait for it or cancel it.")
    NOT_MEASURED = "not_measured", _("These candidates have not been measured.")
    CHOSEN_ALREADY = (
        "chosen_already",
        _("A candidate has already been chosen from this comparison. Compare again."),
    )
    NO_CANDIDATE = "no_candidate", _("This run is not one of the candidates that were compared.")
    COMPARISON_OUTDATED = (
        "comparison_outdated",
        _("Targets, verdicts or data changed after this comparison. Compare again."),
    )
    BACK_FIRST = (
        "back_first",
        _(
            "The recipe cannot be changed while its result is being verified. First take the project "
            "back to processing; the remedies stay here."
        ),
    )
    REMEDIES_OUTDATED = (
        "ways_outdated",
        _(
            "Recipe, data, verdicts or targets changed after this verification. Run the recipe and "
            "measure its result to have the remedies worked out again."
        ),
    )
    NO_REMEDY = "no_way", _("This is not one of the remedies that make the result pass.")


VALUES_SEEN = (*stage_states(Stage.VERIFICATION), *stage_states(Stage.RELEASE))
"""From the verification on for as long as the result is released."""


def may_see_values(user: Person, project: Project) -> Verdict:
    """Values of the result in the portal: the supervisor, and auditors who repeat what a supervisor did."""
    audits = user.is_active and user.post == Post.AUDITOR and bool(may_see_inside(user, project))
    verdict = ALLOW if audits else has_role(user, project, Role.SUPERVISOR)
    return verdict and in_state(project, *VALUES_SEEN)


@one_reading
def may_verify(user: Person, project: Project) -> Verdict:
    verdict = may_act_in(user, project, State.VERIFICATION)
    if not verdict:
        return verdict
    for evidence in (Evidence.PROCESSING_REVIEWED, Evidence.RUN_SUCCEEDED):
        state = evidence_state(project, evidence)
        if not state.met:
            return deny_missing(state.missing)
    newest = latest_verification(project)
    if newest is not None and newest.passed is None and newest.ended_at is None:
        return deny(VerificationReason.UNDER_WAY)
    return ALLOW


def may_measure_and_submit(user: Person, project: Project) -> Verdict:
    """Whether a measurement that passes can be submitted at once: nothing else is missing for it."""
    verdict = first_denial(may_verify(user, project), may_hand_on(project, Move.SUBMIT_VERIFICATION))
    if verdict and (missing := demanded(project, Evidence.GATE_PASSED)):
        return deny_missing(missing)
    return verdict


def may_print(user: Person, project: Project) -> Verdict:
    """Any role inside the project, once there is something that could be approved."""
    verdict = acts_as(user, project, Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT)
    if not verdict:
        return verdict
    current = current_verification(project)
    return ALLOW if current is not None and current.passed else deny(VerificationReason.NOT_PASSED)


def may_decide(user: Person, project: Project) -> Verdict:
    """Senior management, while exactly the current verification waits for its decision."""
    verdict = may_act_in(user, project, State.RELEASE_APPROVAL)
    if not verdict:
        return _beyond(project) if verdict.reason == CoreReason.WRONG_STATE else verdict
    current, signoff = current_verification(project), open_signoff(project.pk, RELEASE)
    if current is None or signoff is None or signoff.subject_hash != current.content_hash:
        return deny(VerificationReason.NOTHING_TO_SIGN)
    if user.is_same_person(signoff.submitted_by):
        return deny(VerificationReason.OWN_WORK)
    return ALLOW


def _beyond(project: Project) -> Verdict:
    """Why nothing is to be decided: of what several had to sign, that all have."""
    last = next((one for one in signoffs_of(project.pk) if one.subject_kind == RELEASE), None)
    if project.state == State.APPROVED and last is not None and last.needed > 1:
        return deny(VerificationReason.ENOUGH_SIGNED, needed=last.needed)
    return deny(CoreReason.WRONG_STATE, state=project.get_state_display())


def may_accept(verification: Verification, decision: Decision, acceptance: str) -> Verdict:
    """A degree below 1 is approved only with the reason why it is accepted, and nothing else has one (T/ISC 0078 C.2)."""
    below = verification.degree_below if decision == Decision.APPROVED else None
    if below is None:
        return deny(VerificationReason.NOTHING_TO_ACCEPT) if acceptance else ALLOW
    return ALLOW if acceptance else deny(VerificationReason.DEGREE_NOT_ACCEPTED, degree=number(below.degree))


@one_reading
def may_approve(user: Person, project: Project) -> Verdict:
    """Deciding, and nothing but the decision itself is missing."""
    rest = [e for e in MOVES[Move.APPROVE_RELEASE].requires if e != Evidence.RELEASE_APPROVED]
    missing = [text for e in rest for text in evidence_state(project, e).missing]
    return first_denial(
        may_decide(user, project),
        _signs_once(user, project),
        deny_missing(missing) if missing else ALLOW,
        may_hand_on(project, Move.APPROVE_RELEASE),
    )


def related_known(related: Related | None) -> Verdict:
    """Nothing is approved while related releases are being measured."""
    return deny(VerificationReason.RELATED_MEASURING) if related and related.is_measuring else ALLOW


def may_accept_related(
    related: Related | None, decision: Decision, acceptance: str, signoff: SignOff
) -> Verdict:
    """What related releases tell more together with the result, and what was not measured of it, is approved only with the
    reason why it is accepted, by everybody who signs, and nothing else has one (GB/T 37964 4.1 b)."""
    approves = decision == Decision.APPROVED
    if approves and not (known := related_known(related)):
        return known
    if not approves or related is None or related.is_settled:
        return deny(VerificationReason.NO_RELATED_TO_ACCEPT) if acceptance else ALLOW
    if not acceptance:
        return deny(VerificationReason.RELATED_NOT_ACCEPTED)
    for one in signoff.signatures.select_related("signed_by", "in_stead_of"):
        # What was signed before this was asked counts as it was given.
        if one.related_accepted is not None and not related.open <= {*one.related_accepted}:
            return deny(VerificationReason.SIGNED_WITHOUT_RELATED, signer=one.signer_text)
    return ALLOW


def _signs_once(user: Person, project: Project) -> Verdict:
    signoff = open_signoff(project.pk, RELEASE)
    seat = stead_of(user, project) or user
    signed = signoff is not None and (has_signed(user, signoff) or has_signed(seat, signoff))
    return deny(VerificationReason.SIGNED_ALREADY) if signed else ALLOW
