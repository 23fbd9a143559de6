"""Sentences of the audit log about intruder tests; claims are counted and never told."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

OPENED = audit_action("intrusion.opened", _("%(actor)s opened the intruder test “%(subject)s” of %(run)s"))
CLAIMED = audit_action(
    "intrusion.claimed", _("%(actor)s recorded claims of the testers of “%(subject)s”: %(claims)s")
)
INVITED = audit_action(
    "intrusion.invited",
    _("%(actor)s invited %(tester)s to the intruder test “%(subject)s” until %(last_day)s"),
)
INVITATION_ENDED = audit_action(
    "intrusion.invitation_ended",
    _("%(actor)s ended the invitation of %(tester)s to the intruder test “%(subject)s”"),
)
LOOKED = audit_action(
    "intrusion.looked",
    _("%(actor)s looked at rows %(first)s to %(last)s of the result under the intruder test “%(subject)s”"),
)
FETCHED = audit_action(
    "intrusion.fetched", _("%(actor)s fetched the result under the intruder test “%(subject)s”: %(file)s")
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
