"""Who names, confirms and ends deputies: two people, neither of whom is the deputy; and who can be one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Membership
from projects.core.rules import in_post, of_records, records_missing
from projects.workflow import Role
from projects.workflow.posts import AppointedPost

from ..models import Deputation, Leaving, User
from ..rules import may_administer
from .enums import DeputationStatus


class DeputyReason(Reason):
    NOT_FOR_OTHERS = (
        "deputy_not_for_others",
        _("Only who holds the post, or an administrator, names the deputy."),
    )
    NO_SUCH_POST = (
        "deputy_no_such_post",
        _("There are deputies of planning managers, supervisors and senior management."),
    )
    SAME_PERSON = "deputy_same_person", _("Nobody is their own deputy, under another account either.")
    NOT_ACTIVE = "deputy_not_active", _("The account of %(member)s is not active, or the person has left.")
    DAYS_OVER = "deputy_days_over", _("The last day is in the past or before the first day.")
    TAKEN = (
        "deputy_taken",
        _("%(member)s has a deputy as %(post)s in these days already, or one that waits for confirmation."),
    )
    CHAINED = (
        "deputy_chained",
        _(
            "Who acts in somebody's stead has no deputy in these days, and who has a deputy acts in nobody's stead: %(member)s."
        ),
    )
    OTHER_ROLE = (
        "deputy_other_role",
        _(
            "%(deputy)s has or had another role in projects of %(member)s: %(projects)s. Nobody may judge their own work."
        ),
    )
    OTHER_SIDE = (
        "deputy_other_side",
        _(
            "%(deputy)s acts or acted in somebody else's stead on another side of the same projects: %(projects)s. "
            "Nobody acts for two sides."
        ),
    )
    REASON_NEEDED = "deputy_reason_needed", _("A reason is required.")
    DECIDED_ALREADY = "deputy_decided", _("This has already been decided.")
    SECOND_PERSON = (
        "deputy_second_person",
        _(
            "Another administrator confirms it: neither who named the deputy, nor the holder of the post, nor the deputy."
        ),
    )
    ONE_HAND = (
        "deputy_one_hand",
        _(
            "Your account and that of the person who named the deputy go back to the same administrator, so one person could be "
            "behind both. Another administrator has to confirm it."
        ),
    )
    NOT_YOURS = (
        "deputy_not_yours",
        _("Only the holder of the post, the deputy or an administrator ends it."),
    )
    NOT_IN_FORCE = "deputy_not_in_force", _("It has ended already, or was turned down.")


_LIVE = (DeputationStatus.WAITS, DeputationStatus.CONFIRMED)
_EVER = (*_LIVE, DeputationStatus.ENDED)


def may_name(
    by: Person, account: User, post: AppointedPost, deputy: User, *, begins_at: datetime, over_at: datetime
) -> Verdict:
    """The holder of the post, or an administrator who is neither of the two; somebody who could be given the role."""
    administers = bool(may_administer(by)) and by.pk not in (account.pk, deputy.pk)
    if by.pk != account.pk and not administers:
        return deny(DeputyReason.NOT_FOR_OTHERS)
    if over_at <= max(begins_at, timezone.now()):
        return deny(DeputyReason.DAYS_OVER)
    return can_stand_in(account, post, deputy, begins_at=begins_at, over_at=over_at)


def can_stand_in(
    account: User,
    post: AppointedPost,
    deputy: User,
    *,
    begins_at: datetime,
    over_at: datetime,
    beside: Any = None,
) -> Verdict:
    """Both hold the post, the deputy has the records that the role asks for and stands on no other side; ``beside``: the
    deputation that is being confirmed."""
    if post not in (AppointedPost.PLANNER, AppointedPost.SUPERVISOR, AppointedPost.MANAGEMENT):
        return deny(DeputyReason.NO_SUCH_POST)
    if account.is_same_person(deputy):
        return deny(DeputyReason.SAME_PERSON)
    for one in (account, deputy):
        if Leaving.objects.filter(account=one).exists() or (one is deputy and not one.is_active):
            return deny(DeputyReason.NOT_ACTIVE, member=str(one))
    role = Role(post.value)
    held = first_denial(
        in_post(account, role), in_post(deputy, role), of_records(deputy, role, records_missing([deputy]))
    )
    if not held:
        return held
    return _apart(account, post, deputy, begins_at, over_at, beside)


def _apart(
    account: User, post: AppointedPost, deputy: User, begins_at: datetime, over_at: datetime, beside: Any
) -> Verdict:
    others = Deputation.objects.filter(status__in=_LIVE, begins_at__lt=over_at, over_at__gt=begins_at)
    others = others.exclude(pk=beside)
    if others.filter(account=account, post=post).exists():
        return deny(DeputyReason.TAKEN, member=str(account), post=str(post.label))
    if others.filter(account=deputy).exists():
        return deny(DeputyReason.CHAINED, member=str(deputy))
    if others.filter(deputy=account).exists():
        return deny(DeputyReason.CHAINED, member=str(account))
    facts: dict[str, Any] = {"deputy": str(deputy), "member": str(account)}
    if numbers := _numbers(account, post, _accounts_of(deputy)):
        return deny(DeputyReason.OTHER_ROLE, projects=_(", ").join(numbers), **facts)
    if numbers := _other_sides(account, post, _accounts_of(deputy), beside):
        return deny(DeputyReason.OTHER_SIDE, projects=_(", ").join(numbers), **facts)
    return ALLOW


def _accounts_of(person: User) -> Q:
    """The accounts of one person, as a condition on accounts."""
    return Q(pk=person.pk) | (Q(person=person.person_id) if person.person_id is not None else Q(pk__in=[]))


def _numbers(account: User, post: AppointedPost, accounts: Q) -> list[str]:
    """Projects in which ``account`` has the role of ``post`` and one of ``accounts`` has, or had, another."""
    people = User.objects.filter(accounts).values("pk")
    clash = Membership.objects.filter(project=OuterRef("project"), user__in=people).exclude(role=post.value)
    held = Membership.objects.filter(Exists(clash), user=account, role=post.value, ended_at=None)
    return sorted(held.values_list("project__number", flat=True))


def _other_sides(account: User, post: AppointedPost, accounts: Q, beside: Any) -> list[str]:
    """Projects of ``account`` in which one of ``accounts`` acts or acted for a member of another role."""
    people = User.objects.filter(accounts).values("pk")
    stood = Deputation.objects.filter(deputy__in=people, status__in=_EVER).exclude(pk=beside)
    theirs = Membership.objects.filter(
        project=OuterRef("project"), user__in=stood.filter(post=OuterRef("role")).values("account")
    ).exclude(role=post.value)
    held = Membership.objects.filter(Exists(theirs), user=account, role=post.value, ended_at=None)
    return sorted(held.values_list("project__number", flat=True))


def may_decide(by: Person, deputation: Deputation, *, confirm: bool) -> Verdict:
    """Another administrator than who named the deputy, of another origin; none of the two whom it is about."""
    verdict = may_administer(by)
    if not verdict:
        return verdict
    if deputation.status != DeputationStatus.WAITS:
        return deny(DeputyReason.DECIDED_ALREADY)
    if not confirm:
        return ALLOW
    if any(by.is_same_person(one) for one in (deputation.given_by, deputation.account, deputation.deputy)):
        return deny(DeputyReason.SECOND_PERSON)
    return deny(DeputyReason.ONE_HAND) if by.has_origin_of(deputation.given_by) else ALLOW


def may_end(by: Person, deputation: Deputation) -> Verdict:
    """Either of the two or an administrator, at once: taking a right away needs no second one."""
    if by.pk not in (deputation.account_id, deputation.deputy_id) and not may_administer(by):
        return deny(DeputyReason.NOT_YOURS)
    live = deputation.status in _LIVE and deputation.over_at > timezone.now()
    return ALLOW if live else deny(DeputyReason.NOT_IN_FORCE)
