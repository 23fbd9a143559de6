"""The vocabulary of the audit log: each action with the sentence that a reader sees.

A package registers its actions in ``events.py``::

    audit_action("project.created", _("%(actor)s created the project “%(subject)s”"))

Placeholders: actor, subject, reason, and every fact of the event. What a fact is called stands in :mod:`.fact_names`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Choices
from django.utils.translation import gettext as _

from approvals.numbers import separated

# How the log names the portal itself where no person acts.
PORTAL = "portal"
SENTENCES: dict[str, Any] = {}
# How the value of a fact reads: fact name → value → label.
WORDS: dict[str, dict[str, Any]] = {}
# How it reads where the values are too many to list: fact name → value → label, or None for what is unknown.
WORD_OF: dict[str, Callable[[str], str | None]] = {}
# How the stored reason of an event reads, where the portal itself gives it: action → reason → label.
REASONS: dict[str, Mapping[str, Any]] = {}
# How the stored name of what an event is about reads, where that is a code: action → its words.
SUBJECTS: dict[str, Callable[[str], str]] = {}
# Whole numbers that count nothing: they name a row, a version, a draw, so nothing separates their digits.
SIGNS = frozenset({"first", "last", "line", "number", "run", "seed", "seq", "version"})


def audit_action(
    action: str,
    sentence: Any,
    subject: Callable[[str], str] | None = None,
    reasons: Mapping[str, Any] | None = None,
) -> str:
    """Register ``action`` with its (lazily translated) sentence and return the action; ``subject`` has words for a subject
    that is stored as a code, ``reasons`` for the reasons that the portal gives itself."""
    if action in SENTENCES and str(SENTENCES[action]) != str(sentence):
        raise ValueError(f"audit action registered twice: {action}")
    SENTENCES[action] = sentence
    if subject is not None:
        SUBJECTS[action] = subject
    if reasons is not None:
        REASONS[action] = reasons
    return action


def audit_words(fact: str, *vocabularies: type[Choices] | Mapping[str, Any]) -> None:
    """Let values of ``fact`` that belong to a vocabulary be read by their labels, not their codes."""
    known = WORDS.setdefault(fact, {})
    for vocabulary in vocabularies:
        pairs = vocabulary.items() if isinstance(vocabulary, Mapping) else vocabulary.choices
        known.update({str(value): label for value, label in pairs})


def audit_words_of(fact: str, word_of: Callable[[str], str | None]) -> None:
    """Let ``word_of`` read the values of ``fact``; it answers None for what it does not know."""
    WORD_OF[fact] = word_of


class _Facts(dict[str, Any]):
    """An old event may lack a fact that a newer sentence names; its reader is told so."""

    def __missing__(self, key: str) -> str:
        return _("(not recorded then)")


def fact_text(fact: str, value: Any) -> str:
    """The value of a fact as a reader sees it."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return _(", ").join(fact_text(fact, one) for one in value)
    if fact in WORD_OF:
        return WORD_OF[fact](str(value)) or str(value)
    words = WORDS.get(fact)
    if words is None and isinstance(value, int) and fact not in SIGNS:
        return separated(value)
    if words is None:
        return str(value)
    # One code, or several in a row, or one with what it is about behind it.
    codes = [one.partition(" ") for one in str(value).split(", ")]
    return _(", ").join(str(words.get(code, code)) + space + rest for code, space, rest in codes)


def subject_text(action: str, subject: str) -> str:
    """What an event is about, as a reader sees it."""
    return SUBJECTS[action](subject) if action in SUBJECTS else subject


def reason_text(action: str, reason: str) -> str:
    """The reason of an event, as a reader sees it."""
    return str(REASONS.get(action, {}).get(reason, reason))


def reason_beside(action: str, reason: str) -> str:
    """“Reason: …” as a reader sees it below the sentence of an event; empty where there is none or the sentence says it."""
    if not reason or "%(reason)s" in str(SENTENCES.get(action, "")):
        return ""
    return _("Reason: %(reason)s") % {"reason": reason_text(action, reason)}


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
    words.update(actor=actor, subject=subject_text(action, subject), reason=reason_text(action, reason))
    return str(template) % words
