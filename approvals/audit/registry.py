"""The vocabulary of the audit log: each action with the sentence that a reader sees.

A package registers its actions in ``events.py``::

    audit_action("project.created", _("%(actor)s created the project “%(subject)s”"))

Placeholders: actor, subject, reason, and every fact of the event.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Choices
from django.utils.translation import gettext as _

# How the log names the portal itself where no person acts.
PORTAL = "portal"
SENTENCES: dict[str, Any] = {}
# How the value of a fact reads: fact name → value → label.
WORDS: dict[str, dict[str, Any]] = {}


def audit_action(action: str, sentence: Any) -> str:
    """Register ``action`` with its (lazily translated) sentence and return the action."""
    if action in SENTENCES and str(SENTENCES[action]) != str(sentence):
        raise ValueError(f"audit action registered twice: {action}")
    SENTENCES[action] = sentence
    return action


def audit_words(fact: str, *vocabularies: type[Choices]) -> None:
    """Let values of ``fact`` that belong to a vocabulary be read by their labels, not their codes."""
    known = WORDS.setdefault(fact, {})
    for vocabulary in vocabularies:
        known.update({str(value): label for value, label in vocabulary.choices})


class _Facts(dict[str, Any]):
    """An old event may lack a fact that a newer sentence names."""

    def __missing__(self, key: str) -> str:
        return "…"


def fact_text(fact: str, value: Any) -> str:
    """The value of a fact as a reader sees it."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(WORDS.get(fact, {}).get(str(value), value))


def sentence_for(
    action: str, *, actor: str, subject: str = "", reason: str = "", facts: Mapping[str, Any] | None = None
) -> str:
    """The readable sentence of an event, in the reader's language. An unknown action reads as its code."""
    if actor == PORTAL:
        actor = _("The portal")
    template = SENTENCES.get(action)
    if template is None:
        return f"{actor}: {action} {subject}".strip()
    words = _Facts({name: fact_text(name, value) for name, value in (facts or {}).items()})
    words.update(actor=actor, subject=subject, reason=reason)
    return str(template) % words
