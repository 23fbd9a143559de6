"""Sentences of the audit log about the register of organisations."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words, audit_words_of

from .enums import PartyKind
from .models import Party

FIELDS = {
    name: Party._meta.get_field(name).verbose_name  # type: ignore[union-attr]
    for name in ("name", "kind", "country", "code", "contact")
}
"""What of an entry is changed, and what it is called."""


def _kind_name(value: str) -> str | None:
    """The label where it is a kind; names and numbers read as they are."""
    return str(PartyKind(value).label) if value in PartyKind.values else None


audit_words("party_kind", PartyKind)
audit_words("party_fields", FIELDS)
for _fact in ("party_before", "party_after"):
    audit_words_of(_fact, _kind_name)

REGISTERED = audit_action(
    "party.registered",
    _("%(actor)s entered “%(subject)s” in the register of organisations (%(party_kind)s)"),
)
CHANGED = audit_action(
    "party.changed",
    _(
        "%(actor)s changed the entry of “%(subject)s” in the register of organisations: %(party_fields)s, before %(party_before)s, "
        "now %(party_after)s"
    ),
)
ENDED = audit_action(
    "party.ended", _("%(actor)s ended “%(subject)s” in the register of organisations (%(reason)s)")
)
