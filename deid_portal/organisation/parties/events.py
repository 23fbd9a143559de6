"""Sentences of the audit log about the register of organisations."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words, audit_words_of

from .enums import PartyKind
from .models import Party

FIELDS = {
    name: Party._meta.get_field(name).verbose_name  # type: ignore[union-attr]
    for name in ("name", "kind", "country", "code", "contact")
}
"""What of an entry is changed, and what it is called."""


SEPARATOR = " → "


def change_of(field: str, before: str, after: str) -> str:
    """One field with what was there and what is there, as the log keeps it."""
    return f"{field}: {before or '–'}{SEPARATOR}{after or '–'}"


def _change_text(stored: str) -> str | None:
    """The same in the reader's words; a kind by its label, names and numbers as they are."""
    field, colon, values = stored.partition(": ")
    if not colon or field not in FIELDS:
        return None
    if field == "kind":
        values = SEPARATOR.join(_kind_name(one) for one in values.split(SEPARATOR))
    return f"{FIELDS[field]}{gettext(': ')}{values}"


def _kind_name(value: str) -> str:
    return str(PartyKind(value).label) if value in PartyKind.values else value


audit_words("party_kind", PartyKind)
audit_words_of("party_changes", _change_text)

REGISTERED = audit_action(
    "party.registered",
    _("%(actor)s entered “%(subject)s” in the register of organisations (%(party_kind)s)"),
)
CHANGED = audit_action(
    "party.changed",
    _("%(actor)s changed the entry of “%(subject)s” in the register of organisations: %(party_changes)s"),
)
ENDED = audit_action(
    "party.ended", _("%(actor)s ended “%(subject)s” in the register of organisations (%(reason)s)")
)
