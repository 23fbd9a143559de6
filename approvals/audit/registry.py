"""The vocabulary of the audit log: each action with the sentence that a reader sees.

A package registers its actions in ``events.py``::

    audit_action("project.created", _("%(actor)s created the project “%(subject)s”"))

Placeholders: actor, subject, reason, and every fact of the event.
"""

from __future__ import annotations

from typing import Any

SENTENCES: dict[str, Any] = {}


def audit_action(action: str, sentence: Any) -> str:
    """Register ``action`` with its (lazily translated) sentence and return the action."""
    if action in SENTENCES and str(SENTENCES[action]) != str(sentence):
        raise ValueError(f"audit action registered twice: {action}")
    SENTENCES[action] = sentence
    return action
