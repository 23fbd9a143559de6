"""Who requests a fetch, who decides about it, and who has the slip of one.

The supervisor decides, and neither who requested it nor who carried the work out, under another account either.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.rules import has_role, in_state, may_see_inside
from projects.workflow import Role, State

from ...models import Release
from ...rules import may_fetch, may_receive, needs_approval
from .models import Fetch, FetchRequest
from .selectors import requests_by

MOST_WAITING = 3
"""Requests of one recipient about one release that may wait at a time: each is work of a person."""


class FetchReason(Reason):
    NOT_NEEDED = "fetch_not_needed", _("By your agreement no fetch needs an approval of its own.")
    NO_FILE = "fetch_no_file", _("The release has no such file.")
    NO_PURPOSE = "fetch_no_purpose", _("Say what the file is needed for.")
    WAITING_ENOUGH = (
        "fetches_wait",
        _("%(most)s of your requests wait for their decision; request again once one is decided."),
    )
    DECIDED_ALREADY = "fetch_decided_already", _("This request has already been decided.")
    OWN_REQUEST = "fetch_own_request", _("You made this request yourself; another person decides.")
    NO_RELEASE = "fetch_no_release", _("The release of this request is no longer in force.")
    NOT_RECEIVING = (
        "fetch_not_receiving",
        _("The recipient cannot receive this release now: %(why)s"),
    )
    NOT_YOURS = (
        "fetch_not_yours",
        _("Only who fetched it and who sees the project have the slip of a fetch."),
    )
    NO_SLIP = "fetch_no_slip", _("There is a slip of what was handed over in controlled sharing only.")


def may_request(user: Person, release: Release) -> Verdict:
    """The recipient, while they may receive the release, where their agreement asks for it."""
    verdict = first_denial(
        may_fetch(user, release),
        ALLOW if needs_approval(user, release.project) else deny(FetchReason.NOT_NEEDED),
    )
    if not verdict:
        return verdict
    waiting = requests_by(user, release).filter(decision=None).count()
    return ALLOW if is_room(waiting) else deny(FetchReason.WAITING_ENOUGH, most=MOST_WAITING)


def is_room(waiting: int) -> bool:
    """Whether one more may be requested about a release of which so many wait."""
    return waiting < MOST_WAITING


def may_decide(user: Person, request: FetchRequest) -> Verdict:
    """The supervisor, once; ``has_role`` lets nobody judge who carries the work out under another account."""
    verdict = first_denial(
        has_role(user, request.project, Role.SUPERVISOR), in_state(request.project, State.MONITORING)
    )
    if not verdict:
        return verdict
    if request.decided is not None:
        return deny(FetchReason.DECIDED_ALREADY)
    return deny(FetchReason.OWN_REQUEST) if user.is_same_person(request.recipient) else ALLOW


def may_approve(user: Person, request: FetchRequest) -> Verdict:
    """The same, while the recipient may receive the release."""
    verdict = may_decide(user, request)
    if not verdict:
        return verdict
    if not request.release.in_force:
        return deny(FetchReason.NO_RELEASE)
    receives = may_receive(request.recipient, request.release)
    return ALLOW if receives else deny(FetchReason.NOT_RECEIVING, why=receives.text)


def may_have_slip(user: Person, fetch: Fetch) -> Verdict:
    """Who fetched it, whoever they are now, and who sees the project and with it the register."""
    is_theirs = user.is_active and fetch.delivery.recipient_id == user.pk
    if not is_theirs and not may_see_inside(user, fetch.project):
        return deny(FetchReason.NOT_YOURS)
    return ALLOW if fetch.project.sharing_type == SharingType.CONTROLLED else deny(FetchReason.NO_SLIP)
