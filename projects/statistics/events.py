"""Sentences of the audit log about tables of statistics: numbers, names of rules and hashes, never a cell."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

STARTED = audit_action(
    "tabulation.started",
    _("%(actor)s requested the table of statistics “%(table)s” by the rules “%(rules)s”"),
)
REQUESTED = audit_action(
    "tabulation.asked",
    _("%(actor)s asked to take the table of statistics “%(table)s” out of the enclave: %(reason)s"),
)
LOOKED_AT = audit_action(
    "tabulation.looked_at",
    _("%(actor)s viewed the table of statistics “%(table)s” within the portal"),
)
IMPORTED = audit_action(
    "tabulation.imported",
    _("%(actor)s imported the table of statistics “%(table)s” to be protected by the rules “%(rules)s”"),
)
PROTECTED = audit_action(
    "tabulation.protected",
    _("The table of statistics “%(table)s” was made and protected (SHA-256 %(sha256)s)"),
)
LEFT_OPEN = audit_action(
    "tabulation.left_open",
    _("The table of statistics “%(table)s” could not be protected: a sensitive cell can still be worked out"),
)
FAILED = audit_action(
    "tabulation.failed", _("The table of statistics “%(table)s” could not be made (error code %(code)s)")
)
REVIEWED = audit_action(
    "tabulation.reviewed",
    _("%(actor)s reviewed the table of statistics “%(table)s” and passed it: %(reason)s"),
)
SIGNED = audit_action(
    "tabulation.signed",
    _("%(actor)s signed the table of statistics “%(table)s” for recipients: %(reason)s"),
)
REFUSED = audit_action(
    "tabulation.refused", _("%(actor)s refused the table of statistics “%(table)s”: %(reason)s")
)
TAKEN_BACK = audit_action(
    "tabulation.taken_back", _("%(actor)s withdrew the table of statistics “%(table)s”: %(reason)s")
)
FETCHED = audit_action(
    "tabulation.fetched", _("%(actor)s fetched the table of statistics “%(table)s” (SHA-256 %(sha256)s)")
)
