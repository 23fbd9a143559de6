"""Sentences of the audit log about the team for personal information."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import TeamDuty

audit_words("team_duty", TeamDuty)

PROPOSED = audit_action(
    "team.head_proposed", _("%(actor)s proposed %(subject)s as head of the team for personal information")
)
TAKEN = audit_action("team.head_taken", _("%(actor)s took the lead of the team for personal information"))
NAMED = audit_action(
    "team.seat_given",
    _("%(actor)s gave %(subject)s a duty in the team for personal information: %(team_duty)s"),
)
ENDED = audit_action(
    "team.seat_ended",
    _(
        "%(actor)s ended a duty of %(subject)s in the team for personal information (%(team_duty)s): %(reason)s"
    ),
)
