"""Sentences of the audit log about the policy library."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from ..proposals.services import Sentences
from .enums import PolicyKind

audit_words("policy_kind", PolicyKind)

ADDED = audit_action(
    "policy.added", _("%(actor)s added “%(subject)s” to the policy library (%(policy_kind)s)")
)
VERSION = Sentences(
    proposed=audit_action(
        "policy.proposed", _("%(actor)s proposed “%(subject)s” for the policy library (%(reason)s)")
    ),
    news=audit_action(
        "policy.awaits_decision",
        _("%(actor)s proposed a version for the policy library; it awaits a decision"),
    ),
    in_force=audit_action("policy.in_force", _("%(actor)s approved “%(subject)s” (%(reason)s)")),
    turned_down=audit_action("policy.turned_down", _("%(actor)s turned down “%(subject)s” (%(reason)s)")),
)
ACKNOWLEDGED = audit_action("policy.acknowledged", _("%(actor)s acknowledged “%(subject)s”"))
READ = audit_action("policy.document_read", _("%(actor)s opened the document of “%(subject)s”"))
REVIEWED = audit_action(
    "policy.reviewed", _("%(actor)s reviewed “%(subject)s”; the next review is due on %(due_on)s")
)
OWNER_CHANGED = audit_action("policy.owner_changed", _("%(actor)s made %(owner)s the owner of “%(subject)s”"))
SUPERSEDED = audit_action(
    "policy.superseded",
    _("The project relies on “%(policy)s”, which has a newer version: %(version)s"),
)
