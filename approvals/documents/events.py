"""Sentences of the audit log about documents."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.audit.registry import audit_action, audit_words

from .kinds import KINDS

audit_words("kind", KINDS)
audit_words(
    "language",
    {"zh-hans": pgettext_lazy("document", "Chinese"), "en": pgettext_lazy("document", "English")},
)

DOCUMENT_CREATED = audit_action(
    "document.created", _("The document “%(subject)s” was made (%(language)s, %(size)s bytes)")
)
SEAL_BROKEN = audit_action(
    "document.seal_broken", _("The seal of “%(subject)s” is broken: it can no longer be fetched")
)
