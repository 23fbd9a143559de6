"""Who checks samples and says what was done: the recipient who fetched the data; who confirms it: the supervisor, never a recipient."""

from __future__ import annotations

from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.enums import SharingType
from projects.core.rules import CoreReason, has_role
from projects.core.selectors import role_of
from projects.datasets.samples import MOST_ROWS as MOST_SHOWN
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed
from projects.releases.deliveries.copies.selectors import copy_of
from projects.releases.models import Delivery, Release
from projects.releases.rules import may_look_inside
from projects.workflow import Role

from ..inspected.rules import InspectionReason
from .enums import RemedyState, SampleOutcome
from .models import ReceivedSample, RecipientRemedy, SampleDeviation

MOST_ROWS = 500
WAITING = (SampleOutcome.READING, SampleOutcome.OPEN)


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
    NOT_OPENED = (
        "sample_not_opened",
        _("Look at the data first: nothing is drawn before the seal was verified for you."),
    )
    ALL_SHOWN = (
        "sample_all_shown",
        _("Samples have shown you %(most)s rows of this release; no more are drawn."),
    )
    NOT_INSIDE = (
        "sample_not_inside",
        _("This sample is of a copy that you hold; the portal shows none of its rows."),
    )
    OWN_REMEDY = "recipient_remedy_own", _("You stated it yourself; another person confirms it.")


def may_draw(user: Person, release: Release) -> Verdict:
    """``release`` was found among those that ``user`` receives, or received; one sample at a time, so that nobody draws until
    one pleases."""
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    verdict = _may_draw_inside(user, release) if is_inside(release) else _may_draw_of_copy(user, release)
    if not verdict:
        return verdict
    waiting = ReceivedSample.objects.filter(release=release, recipient=user.pk, outcome__in=WAITING)
    return deny(SampleReason.WAITS) if waiting.exists() else ALLOW


def is_inside(release: Release) -> bool:
    return release.project.sharing_type == SharingType.ENCLAVE


def _may_draw_of_copy(user: Person, release: Release) -> Verdict:
    found = copy_of(user, release)
    if found is None:
        return deny(SampleReason.NOT_FETCHED)
    return ALLOW if found.statement is None else deny(SampleReason.DESTROYED)


def _may_draw_inside(user: Person, release: Release) -> Verdict:
    """Who may look at the release in the portal and has opened it; over all samples no more rows are shown than of its beginning."""
    verdict = _may_sample(user, release)
    if not verdict:
        return verdict
    if release.shares_hash:
        return deny(InspectionReason.IN_SHARES)
    if not Delivery.objects.filter(release=release, recipient=user.pk, verified_at__isnull=False).exists():
        return deny(SampleReason.NOT_OPENED)
    return ALLOW if rows_left(user, release) > 0 else deny(SampleReason.ALL_SHOWN, most=MOST_SHOWN)


def rows_left(user: Person, release: Release, besides: ReceivedSample | None = None) -> int:
    """How many rows of a release in an enclave samples may still show its recipient, those of one sample not counted."""
    others = ReceivedSample.objects.filter(release=release, recipient=user.pk, inside=True)
    if besides is not None:
        others = others.exclude(pk=besides.pk)
    return int(MOST_SHOWN - (others.aggregate(shown=Sum("shown_rows"))["shown"] or 0))


def may_look(user: Person, sample: ReceivedSample) -> Verdict:
    """At the rows that were drawn in an enclave, while they lie ready and whoever had them drawn may look inside."""
    verdict = _may_see(user, sample)
    if not verdict:
        return verdict
    ready = sample.is_kept and sample.kept_until is not None and sample.kept_until > timezone.now()
    return ALLOW if ready else deny(InspectionReason.NOT_THERE)


def may_read(user: Person, sample: ReceivedSample, under_way: bool) -> Verdict:
    """Have the same rows read again, once they do not lie ready and no job is ``under_way``."""
    verdict = _may_see(user, sample)
    if not verdict:
        return verdict
    return deny(InspectionReason.KEPT) if under_way or may_look(user, sample) else ALLOW


def _may_see(user: Person, sample: ReceivedSample) -> Verdict:
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if user.pk != sample.recipient_id:
        return deny(SampleReason.NOT_YOURS)
    if not sample.inside:
        return deny(SampleReason.NOT_INSIDE)
    if sample.outcome == SampleOutcome.FAILED:
        return deny(InspectionReason.NOT_DRAWN)
    if sample.outcome not in WAITING:
        return deny(SampleReason.REPORTED)
    return _may_sample(user, sample.release)


def _may_sample(user: Person, release: Release) -> Verdict:
    verdict = may_look_inside(user, release)
    return act_allowed(release.project, Act.SAMPLE) if verdict else verdict


def may_report(user: Person, sample: ReceivedSample) -> Verdict:
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if user.pk != sample.recipient_id:
        return deny(SampleReason.NOT_YOURS)
    if sample.outcome in (SampleOutcome.READING, SampleOutcome.FAILED):
        return deny(InspectionReason.NOT_THERE)
    if sample.outcome != SampleOutcome.OPEN:
        return deny(SampleReason.REPORTED)
    return deny(InspectionReason.NOT_LOOKED) if sample.inside and not sample.looked else ALLOW


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
