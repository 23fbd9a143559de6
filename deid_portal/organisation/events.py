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
CRYPTOGRAPHY_NATIONAL = audit_action(
    "cryptography.national",
    _("%(actor)s allowed national commercial cryptography (SM3, SM4) only (%(reason)s)"),
)
CRYPTOGRAPHY_ANY = audit_action(
    "cryptography.any", _("%(actor)s allowed AES and SHA-2 beside SM3 and SM4 (%(reason)s)")
)
