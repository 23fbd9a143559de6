"""Who may read and who may edit what outlives a project."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.workflow.posts import AppointedPost, Post


class OrganisationReason(Reason):
    INSIDE_ONLY = (
        "inside_only",
        _("This is for the people of the organisation; outside recipients do not see it."),
    )
    NOT_AN_EDITOR = (
        "not_an_editor",
        _("Only planning managers and administrators edit the organisation's tables."),
    )
    NOT_AN_ADMINISTRATOR = "not_an_administrator", _("Only administrators set the letterhead.")
    NOTHING_CHANGED = "nothing_changed", _("Nothing was changed.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")


EDITORS = (Post.PLANNER, Post.ADMINISTRATOR)
"""The posts that edit the organisation's tables."""


def may_read_organisation(user: Person) -> Verdict:
    """Everybody inside; assessors while their time lasts."""
    if not user.is_active or user.post in (Post.RECIPIENT, Post.TESTER):
        return deny(OrganisationReason.INSIDE_ONLY)
    if user.post == Post.ASSESSOR and not user.assesses:
        return deny(OrganisationReason.INSIDE_ONLY)
    return ALLOW


def may_edit_metadata(user: Person) -> Verdict:
    """By post, while it is held; superuser rights give nothing here."""
    if user.is_active and user.post in EDITORS and user.holds(AppointedPost(user.post)):
        return ALLOW
    return deny(OrganisationReason.NOT_AN_EDITOR)


def may_set_letterhead(user: Person) -> Verdict:
    """By post, while it is held; superuser rights give nothing here."""
    if user.is_active and user.post == Post.ADMINISTRATOR and user.holds(AppointedPost.ADMINISTRATOR):
        return ALLOW
    return deny(OrganisationReason.NOT_AN_ADMINISTRATOR)
