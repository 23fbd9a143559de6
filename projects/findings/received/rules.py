"""Who checks samples and says what was done: the recipient who fetched the data; who confirms it: the supervisor, never a recipient."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.rules import CoreReason, has_role
from projects.core.selectors import role_of
from projects.releases.deliveries.copies.selectors import copy_of
from projects.releases.models import Release
from projects.workflow import Role

from .enums import RemedyState, SampleOutcome
from .models import ReceivedSample, RecipientRemedy, SampleDeviation

MOST_ROWS = 500


class SampleReason(Reason):
    NOT_FETCHED = "sample_not_fetched", _("You fetched nothing of this release.")
    DESTROYED = "sample_destroyed", _("You have stated that your copy is destroyed.")
    WAITS = "sample_waits", _("Report on the sample that you have drawn first.")
    FILE_UNKNOWN = "sample_file_unknown", _("This release has no such file with rows.")
    SIZE = "sample_size", _("Between 1 and %(most)s rows can be drawn.")
    NOT_YOURS = "sample_not_yours", _("Only the recipient who had the sample drawn reports on it.")
    REPORTED = "sample_reported", _("You have already reported on this sample.")
    DAY = "sample_day", _("The day lies before the draw or in the future.")
    CHECKED = "sample_checked", _("Between 1 and %(most)s rows of this sample can have been looked through.")
    NOBODY = "sample_nobody", _("Nobody is left in this project who could correct it.")
    TEXT_NEEDED = "sample_text_needed", _("State it in words.")
    REMEDY_WAITS = "recipient_remedy_waits", _("The supervisor has not decided yet on what you stated.")
    REMEDY_CONFIRMED = "recipient_remedy_confirmed", _("What was done has already been confirmed.")
    REMEDY_DAY = "recipient_remedy_day", _("The day lies before the report or in the future.")
    NOT_KNOWN = (
        "recipient_remedy_not_known",
        _("State what you did; only others say that nothing is known of it."),
    )
    NOTHING_STATED = "recipient_remedy_missing", _("The recipient has not stated what was done.")
    CAN_STATE = (
        "recipient_can_state",
        _("The recipient can still state it: the account and the role are active."),
    )
    OWN_SAMPLE = (
        "recipient_remedy_own_sample",
        _("You were this recipient yourself; another person states it."),
    )
    OWN_REMEDY = "recipient_remedy_own", _("You stated it yourself; another person confirms it.")


def may_draw(user: Person, release: Release) -> Verdict:
    """``release`` was found among those that ``user`` receives, or received; one sample at a time, so that nobody draws until
    one pleases."""
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    found = copy_of(user, release)
    if found is None:
        return deny(SampleReason.NOT_FETCHED)
    if found.statement is not None:
        return deny(SampleReason.DESTROYED)
    waiting = ReceivedSample.objects.filter(release=release, recipient=user.pk, outcome=SampleOutcome.OPEN)
    return deny(SampleReason.WAITS) if waiting.exists() else ALLOW


def may_report(user: Person, sample: ReceivedSample) -> Verdict:
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if user.pk != sample.recipient_id:
        return deny(SampleReason.NOT_YOURS)
    return ALLOW if sample.outcome == SampleOutcome.OPEN else deny(SampleReason.REPORTED)


def may_remedy(user: Person, deviation: SampleDeviation) -> Verdict:
    """Who found it, until what they did is confirmed."""
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if user.pk != deviation.sample.recipient_id:
        return deny(SampleReason.NOT_YOURS)
    return _nothing_current(deviation)


def may_remedy_in_stead(user: Person, deviation: SampleDeviation) -> Verdict:
    """The planning manager, once the recipient's account is inactive or they are no recipient of the project any more."""
    verdict = has_role(user, deviation.ticket.project, Role.PLANNER)
    if not verdict:
        return verdict
    recipient = deviation.sample.recipient
    if user.is_same_person(recipient):
        return deny(SampleReason.OWN_SAMPLE)
    if recipient.is_active and role_of(recipient, deviation.ticket.project) == Role.RECIPIENT:
        return deny(SampleReason.CAN_STATE)
    return _nothing_current(deviation)


def _nothing_current(deviation: SampleDeviation) -> Verdict:
    current = current_remedy(deviation)
    if current is None:
        return ALLOW
    if current.state == RemedyState.CONFIRMED:
        return deny(SampleReason.REMEDY_CONFIRMED)
    return deny(SampleReason.REMEDY_WAITS)


def may_decide(user: Person, deviation: SampleDeviation) -> Verdict:
    """The supervisor, who is not the recipient under another account."""
    verdict = has_role(user, deviation.ticket.project, Role.SUPERVISOR)
    if not verdict:
        return verdict
    current = current_remedy(deviation)
    if current is None:
        return deny(SampleReason.NOTHING_STATED)
    if current.state == RemedyState.CONFIRMED:
        return deny(SampleReason.REMEDY_CONFIRMED)
    own = user.is_same_person(current.recorded_by) or user.is_same_person(deviation.sample.recipient)
    return deny(SampleReason.OWN_REMEDY) if own else ALLOW


def current_remedy(deviation: SampleDeviation) -> RecipientRemedy | None:
    """The one that waits or was confirmed, as it was read with the deviation or is read now."""
    return next((one for one in deviation.remedies.all() if one.state != RemedyState.AGAIN), None)
