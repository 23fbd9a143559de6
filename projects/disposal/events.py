"""Sentences of the audit log about the disposal of data."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

PROPOSED = audit_action(
    "disposal.proposed", _("%(actor)s proposed to destroy the data of the project (%(subject)s): %(reason)s")
)
KEPT = audit_action(
    "disposal.kept", _("%(actor)s decided that the data of the project are kept (%(subject)s): %(reason)s")
)
KEYS_DESTROYED = audit_action(
    "disposal.keys_destroyed",
    _(
        "%(actor)s destroyed the data of the project (%(subject)s), %(files)s files and %(keys)s keys of the vault: %(reason)s"
    ),
)
RESUMED = audit_action(
    "disposal.resumed", _("%(actor)s resumed the removal of encrypted files (%(subject)s)")
)
FINISHED = audit_action(
    "disposal.finished",
    _("%(actor)s removed the encrypted files from the disk (%(subject)s): %(removed)s files, none is left"),
)
