"""Who may record agreements, release, and fetch; and when a release may be fetched at all."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.models import Membership, Project
from projects.core.rules import has_role, in_state
from projects.core.selectors import memberships_held, role_of
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed
from projects.processing.runs.selectors import latest_run
from projects.processing.runs.shares import share_numbers_of
from projects.workflow import Role, State

from .deliveries.requests.enums import FetchState
from .deliveries.requests.selectors import states_with
from .enums import DeliveryStatus
from .models import Agreement, Delivery, Release
from .selectors import agreement_with, holdings_of, number_held


class ReleaseReason(Reason):
    NOT_A_RECIPIENT = "not_a_recipient", _("Only a recipient of this project may fetch its release.")
    NO_AGREEMENT = "no_agreement", _("No agreement with you is in force.")
    NOT_ACCEPTED = "terms_not_accepted", _("Accept the terms of your agreement first.")
    NEEDS_APPROVAL = (
        "needs_approval",
        _(
            "This alters what senior management has signed; it has to be proposed as a change, which senior management then decides."
        ),
    )
    SCAN_NEEDED = "scan_needed", _("The scan of the signed agreement is needed.")
    RELEASE_ENDED = "release_ended", _("This release has ended.")
    SEAL_BROKEN = "seal_broken", _("The seal of this release is broken; the supervisor has been notified.")
    SUSPENDED = "project_suspended", _("The project is suspended or being verified again.")
    ENCLAVE = "enclave_only", _("Enclave sharing: the data stay in the portal and can only be viewed here.")
    NOT_ENCLAVE = "not_enclave", _("Viewing in the portal is for enclave sharing only.")
    NOTICE_UNREAD = "notice_unread", _("Please confirm that you have read the data-use notice.")
    NOT_READY = "not_ready", _("The seal has not been verified for this delivery yet.")
    EXPIRED = "delivery_expired", _("This delivery has expired; ask for a new one.")
    DELIVERIES_WAIT = (
        "deliveries_wait",
        _("%(most)s of your deliveries are already being verified; wait until one is ready."),
    )
    AGREEMENT_ENDED = "agreement_ended", _("This agreement has already ended.")
    IRREVOCABLE = ("irrevocable", _("Please confirm that completely public sharing cannot be undone."))
    OTHER_FILES = (
        "other_files",
        _(
            "The files, or what was measured about them, are not what was approved. Nothing has been released."
        ),
    )
    NO_SHARE = "no_share", _("The data were split into shares, and none of them was given to you.")
    NO_SHARES = "no_shares", _("The result of this project is not split into shares.")
    NO_SUCH_HOLDER = "no_such_holder", _("There is no holder with number %(number)s.")
    HOLDS_IT_ALREADY = "holds_it_already", _("This person already holds these shares.")
    HOLDS_ANOTHER = (
        "holds_another",
        _("%(member)s holds, or held, other shares of this project; nobody may receive two of them."),
    )
    WRONG_RECIPIENT = "wrong_recipient", _("%(member)s is not a recipient of this project.")
    NOTHING_HELD = (
        "nothing_held",
        _(
            "In enclave sharing nothing is handed over, so that there is nothing to check every so many months."
        ),
    )
    NOT_CONTROLLED = (
        "fetch_approval_not_controlled",
        _("Only where a file is handed to recipients under agreements can each fetch need an approval."),
    )
    FETCH_UNAPPROVED = (
        "fetch_not_approved",
        _("By your agreement each fetch needs an approval of its own. Request one for this file first."),
    )
    FETCH_WAITS = (
        "fetch_waits",
        _("Your request to fetch this file waits for the supervisor."),
    )
    FETCH_OVER = (
        "fetch_over",
        _("The time of the approval to fetch this file is over. Request another one."),
    )
    FETCH_LAPSED = (
        "fetch_lapsed",
        _(
            "The approval to fetch this file ended with the agreement under which it was given. Request another one."
        ),
    )
    NO_RESULT = "no_result", _("There is no result to measure with others.")
    TEXT_OF_CONTROLLED = (
        "text_of_controlled",
        _("The text is one of controlled public sharing; other sharing types have other conditions."),
    )
    NO_RELATIVES = "no_relatives", _("No other release was found that could concern the same persons.")
    MEASURING = "relatives_measuring", _("A measurement is in progress; wait for it or cancel it.")


def may_record_agreement(user: Person, project: Project, recipient: Person | None = None) -> Verdict:
    verdict = first_denial(
        has_role(user, project, Role.PLANNER), in_state(project, State.APPROVED, State.MONITORING)
    )
    if verdict and recipient is not None and role_of(recipient, project) != Role.RECIPIENT:
        return deny(ReleaseReason.WRONG_RECIPIENT, member=str(recipient))
    return verdict


def can_be_agreed(project: Project, check_months: int | None, fetch_approval: bool | None = None) -> Verdict:
    """Nobody agrees to check what is never handed over, nor to have fetches approved that nobody makes, or anybody."""
    if check_months is not None and project.sharing_type == SharingType.ENCLAVE:
        return deny(ReleaseReason.NOTHING_HELD)
    if fetch_approval is not None and project.sharing_type != SharingType.CONTROLLED:
        return deny(ReleaseReason.NOT_CONTROLLED)
    return ALLOW


def may_print_agreement(user: Person, project: Project) -> Verdict:
    """Who may record an agreement, where results are handed over under one."""
    verdict = may_record_agreement(user, project)
    if verdict and project.sharing_type != SharingType.CONTROLLED:
        return deny(ReleaseReason.TEXT_OF_CONTROLLED)
    return verdict


def may_end_agreement(user: Person, agreement: Agreement) -> Verdict:
    return first_denial(
        has_role(user, agreement.project, Role.PLANNER, Role.SUPERVISOR),
        ALLOW if agreement.ended_at is None else deny(ReleaseReason.AGREEMENT_ENDED),
    )


def may_assign_shares(user: Person, project: Project) -> Verdict:
    """The planning manager, of a result that is split into shares."""
    verdict = first_denial(
        has_role(user, project, Role.PLANNER), in_state(project, State.APPROVED, State.MONITORING)
    )
    if verdict and not _share_numbers(project):
        return deny(ReleaseReason.NO_SHARES)
    return verdict


def may_hold(user: Person, project: Project, number: int, holder: Person) -> Verdict:
    """Whether ``user`` may give the shares of ``number`` to ``holder``: never two numbers to one natural person."""
    verdict = may_assign_shares(user, project)
    if not verdict:
        return verdict
    if number not in _share_numbers(project):
        return deny(ReleaseReason.NO_SUCH_HOLDER, number=number)
    if role_of(holder, project) != Role.RECIPIENT:
        return deny(ReleaseReason.WRONG_RECIPIENT, member=str(holder))
    for other in holdings_of(project):
        if other.number != number and holder.is_same_person(other.holder):
            return deny(ReleaseReason.HOLDS_ANOTHER, member=str(holder))
    return ALLOW


def _share_numbers(project: Project) -> list[int]:
    run = latest_run(project)
    return [] if run is None else share_numbers_of(run.pk)


def may_release(user: Person, project: Project) -> Verdict:
    return first_denial(has_role(user, project, Role.PLANNER), in_state(project, State.APPROVED))


def may_end_release(user: Person, release: Release) -> Verdict:
    return first_denial(
        has_role(user, release.project, Role.PLANNER, Role.SUPERVISOR),
        ALLOW if release.ended_at is None else deny(ReleaseReason.RELEASE_ENDED),
    )


Demand = Callable[[Person, Release, Membership], Verdict]
_demands: list[Demand] = []


def demands_of_receipt(demand: Demand) -> Demand:
    """Register what else stands before whoever receives a release. It is asked of every row of a list: ``demand`` reads what it
    needs for all releases of the person at once, or has it read along with the role in which they receive."""
    _demands.append(demand)
    return demand


def may_receive(user: Person, release: Release) -> Verdict:
    """Whether ``user`` may have what this release contains, now."""
    project = release.project
    # Asked about every release in a list: by person, not by project.
    held = next((one for one in memberships_held(user.pk) if one.project_id == project.pk), None)
    if not user.is_active or held is None or held.role != Role.RECIPIENT:
        return deny(ReleaseReason.NOT_A_RECIPIENT)
    if release.ended_at is not None:
        return deny(ReleaseReason.RELEASE_ENDED)
    if release.seal_broken_at is not None:
        return deny(ReleaseReason.SEAL_BROKEN)
    if project.state != State.MONITORING:
        return deny(ReleaseReason.SUSPENDED)
    if release.shares_hash and number_held(user, project.pk) is None:
        return deny(ReleaseReason.NO_SHARE)
    if project.sharing_type != SharingType.PUBLIC:
        verdict = _agreed(user, project)
        if not verdict:
            return verdict
    return first_denial(*(demand(user, release, held) for demand in _demands))


def may_receive_agreed(user: Person, release: Release) -> Verdict:
    """What needs an agreement in force whatever the way of sharing."""
    verdict = may_receive(user, release)
    if not verdict:
        return verdict
    return _agreed(user, release.project)


def _agreed(user: Person, project: Project) -> Verdict:
    """Whether an agreement is in force whose terms its recipient has accepted."""
    agreement = agreement_with(user, project)
    if agreement is None or not agreement.in_force:
        return deny(ReleaseReason.NO_AGREEMENT)
    return ALLOW if agreement.is_accepted else deny(ReleaseReason.NOT_ACCEPTED)


FETCHES = (Act.FETCH, Act.FETCH_API)
"""By which a recipient has a file."""


def may_fetch(user: Person, release: Release) -> Verdict:
    """Have the files of a release, on their page or through the API."""
    return _after(may_receive(user, release), lambda: _as_a_file(release, *FETCHES))


def delivery_allowed(release: Release) -> Verdict:
    """Whether the approved target leaves anything for which the seal is verified: in an enclave whatever is done there rests on it."""
    if release.project.sharing_type == SharingType.ENCLAVE:
        return ALLOW
    return act_allowed(release.project, *FETCHES)


def may_request_delivery(user: Person, release: Release) -> Verdict:
    """Have the seal verified."""
    return _after(may_receive(user, release), lambda: delivery_allowed(release))


def _after(verdict: Verdict, then: Callable[[], Verdict]) -> Verdict:
    """``then`` asks the database, and only who is not refused already is worth that."""
    return then() if verdict else verdict


def _as_a_file(release: Release, *acts: Act) -> Verdict:
    is_enclave = release.project.sharing_type == SharingType.ENCLAVE
    return deny(ReleaseReason.ENCLAVE) if is_enclave else act_allowed(release.project, *acts)


def may_unseal(user: Person, delivery: Delivery, *by: Act) -> Verdict:
    """Have the files of a delivery whose seal was verified within the hour, whether or not a fetch of each is approved. ``by``: on
    their page or through the API, each alone if it is named."""
    return _after(_may_use(user, delivery), lambda: _as_a_file(delivery.release, *(by or FETCHES)))


def may_download(user: Person, delivery: Delivery, file: int = 0, *by: Act) -> Verdict:
    """Fetch a file of a delivery whose seal was verified within the hour, and whose fetch is approved where that was agreed."""
    return first_denial(may_unseal(user, delivery, *by), _approved(user, delivery.release, file))


def needs_approval(user: Person, project: Project) -> bool:
    """Whether each fetch of ``user`` needs an approval of its own, by the agreement with them."""
    agreement = agreement_with(user, project) if project.sharing_type == SharingType.CONTROLLED else None
    return agreement is not None and bool(agreement.fetch_approval)


def _approved(user: Person, release: Release, file: int) -> Verdict:
    """The one rule about approvals of fetches (T/ISC 0078 11.2 c): pages, the API and the service ask it."""
    if not needs_approval(user, release.project):
        return ALLOW
    states = states_with(user, release, file)
    if FetchState.APPROVED in states:
        return ALLOW
    if FetchState.WAITING in states:
        return deny(ReleaseReason.FETCH_WAITS)
    # The newest first.
    match next(iter(states), None):
        case FetchState.OVER:
            return deny(ReleaseReason.FETCH_OVER)
        case FetchState.LAPSED:
            return deny(ReleaseReason.FETCH_LAPSED)
    return deny(ReleaseReason.FETCH_UNAPPROVED)


def may_look_at(user: Person, delivery: Delivery) -> Verdict:
    """Enclave sharing: look, in the portal, at what a verified delivery contains."""
    verdict = first_denial(_may_use(user, delivery), _in_an_enclave(delivery.release))
    return _after(verdict, lambda: act_allowed(delivery.release.project, Act.LOOK))


def may_look_inside(user: Person, release: Release) -> Verdict:
    """Enclave sharing: see in the portal what the release contains."""
    return first_denial(may_receive(user, release), _in_an_enclave(release))


def _in_an_enclave(release: Release) -> Verdict:
    is_enclave = release.project.sharing_type == SharingType.ENCLAVE
    return ALLOW if is_enclave else deny(ReleaseReason.NOT_ENCLAVE)


def _may_use(user: Person, delivery: Delivery) -> Verdict:
    if delivery.recipient_id != user.pk:
        return deny(ReleaseReason.NOT_A_RECIPIENT)
    verdict = may_receive(user, delivery.release)
    if not verdict:
        return verdict
    if delivery.status == DeliveryStatus.EXPIRED or delivery.is_expired:
        return deny(ReleaseReason.EXPIRED)
    if delivery.status not in (DeliveryStatus.READY, DeliveryStatus.FETCHED):
        return deny(ReleaseReason.NOT_READY)
    return ALLOW
