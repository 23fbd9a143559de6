"""Who may see a document: this package does not know projects, so those who do register a rule.

::

    @visible_to
    def members_see_it(user, document) -> bool: ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from approvals.governance.person import Person

from .models import Document

Rule = Callable[[Any, Document], bool]
_rules: list[Rule] = []


def visible_to(rule: Rule) -> Rule:
    """Register a rule; a document is visible when any rule says so, and to nobody when none does."""
    if rule not in _rules:
        _rules.append(rule)
    return rule


def may_see(user: Person, document: Document) -> bool:
    return bool(user.is_authenticated and user.is_active and any(rule(user, document) for rule in _rules))
