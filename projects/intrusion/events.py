"""Sentences of the audit log about intruder tests; claims are counted and never told."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

OPENED = audit_action("intrusion.opened", _("%(actor)s opened the intruder test “%(subject)s” of %(run)s"))
CLAIMED = audit_action(
    "intrusion.claimed", _("%(actor)s recorded claims of the testers of “%(subject)s”: %(claims)s")
)
CHECKED = audit_action(
    "intrusion.checked",
    _("%(actor)s checked claims of “%(subject)s”: %(right)s right, %(wrong)s wrong"),
)
CONCLUDED = audit_action(
    "intrusion.concluded",
    _(
        "%(actor)s concluded the intruder test “%(subject)s”: %(right)s of %(attempts)s persons were recognised"
    ),
)
