"""Sentences of the audit log about queries in the enclave: hashes, names of tables and numbers, never a text or a value."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

STARTED = audit_action(
    "enclave_query.started", _("%(actor)s ran the query “%(subject)s” in the enclave (SHA-256 %(sha256)s)")
)
ANSWERED = audit_action(
    "enclave_query.answered",
    _("The query “%(subject)s” over %(tables)s shows %(rows)s rows, after %(milliseconds)s ms"),
)
FAILED = audit_action(
    "enclave_query.failed", _("The query “%(subject)s” was not answered (error code %(code)s)")
)
LOOKED_AT = audit_action(
    "enclave_query.looked_at", _("%(actor)s viewed what the query “%(subject)s” found within the portal")
)
EXPIRED = audit_action(
    "enclave_query.expired", _("The text of the query “%(subject)s” and what it found were destroyed")
)
