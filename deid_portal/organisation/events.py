"""Sentences of the audit log about organisation."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

METADATA_SEEDED = audit_action(
    "metadata.seeded",
    _("The portal laid down version %(subject)s of the metadata table (%(entries)s entries)"),
)
METADATA_CHANGED = audit_action(
    "metadata.changed",
    _(
        "%(actor)s made version %(subject)s of the metadata table: %(added)s added, %(changed)s changed, "
        "%(removed)s removed (%(reason)s)"
    ),
)
