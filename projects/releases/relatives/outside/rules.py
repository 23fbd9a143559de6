"""Who reads and who records releases that were made outside the portal."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow.posts import AppointedPost, Post

from .models import OutsideRelease

_READS = (AppointedPost.PLANNER, AppointedPost.SUPERVISOR, AppointedPost.MANAGEMENT)


class OutsideReason(Reason):
    """Why somebody may not read, record or change an entry."""

    NOT_A_READER = (
        "outside_not_a_reader",
        _(
            "Releases made outside the portal are read by planning managers, supervisors, senior management and auditors."
        ),
    )
    NOT_A_PLANNER = (
        "outside_not_a_planner",
        _("Only planning managers record releases that were made outside the portal."),
    )
    WITHDRAWN = "outside_withdrawn", _("This entry has already been withdrawn.")
    TEXT_NEEDED = "outside_text_needed", _("A reason is required.")
    NOTHING_CHANGED = "outside_nothing_changed", _("Nothing was changed.")


def may_read_outside(user: Person) -> Verdict:
    """They belong to no project: who plans, supervises or answers for releases, while appointed, and who reads every project."""
    if user.is_authenticated and user.is_active:
        if user.reads_all_projects:
            return ALLOW
        if user.post in (Post.PLANNER, Post.STAFF) and any(user.holds(post) for post in _READS):
            return ALLOW
    return deny(OutsideReason.NOT_A_READER)


def may_record_outside(user: Person) -> Verdict:
    """By post, while it is held; superuser rights give nothing here."""
    if user.is_active and user.post == Post.PLANNER and user.holds(AppointedPost.PLANNER):
        return ALLOW
    return deny(OutsideReason.NOT_A_PLANNER)


def may_change_outside(user: Person, entry: OutsideRelease) -> Verdict:
    """Correct or withdraw an entry that counts: a planning manager, also another one than who recorded it."""
    verdict = may_record_outside(user)
    if verdict and entry.withdrawn_at is not None:
        return deny(OutsideReason.WITHDRAWN)
    return verdict
