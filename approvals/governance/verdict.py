"""The answer of a rule: allowed, or denied with a typed reason.

The same reason explains a disabled button, an API error and a log line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import models


class Reason(models.TextChoices):
    """Base of the typed reasons; each package's ``rules.py`` has its own subclass with labels."""

    @property
    def of_right(self) -> bool:
        """Whether it is about who asks: nothing that happens in the project opens this to them."""
        return self.value in RIGHTS


RIGHTS = frozenset(
    {
        "not_your_role", "not_a_member", "reads_only", "administers_only", "wrong_post", "inactive", "inside_only",
        "not_an_editor", "not_a_planner", "not_a_recipient", "not_an_administrator", "readers_only",
    }
)  # fmt: skip
"""The codes of reasons about who asks."""


@dataclass(frozen=True)
class Verdict:
    """The answer of a rule. ``params`` fill the placeholders of the reason's label."""

    allowed: bool
    reason: Reason | None = None
    params: dict[str, Any] = field(default_factory=dict)
    missing: tuple[Any, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def code(self) -> str:
        return "" if self.reason is None else str(self.reason.value)

    @property
    def text(self) -> str:
        """The reason in the user's language."""
        if self.reason is None:
            return ""
        label = str(self.reason.label)
        return label % self.params if self.params else label

    def require(self) -> None:
        """Raise :class:`Refused` unless allowed."""
        if not self.allowed:
            raise Refused(self)


ALLOW = Verdict(allowed=True)


def deny(reason: Reason, *, missing: tuple[Any, ...] = (), **params: Any) -> Verdict:
    return Verdict(allowed=False, reason=reason, params=params, missing=missing)


def first_denial(*verdicts: Verdict) -> Verdict:
    """The first verdict that denies, else ALLOW."""
    return next((v for v in verdicts if not v), ALLOW)


class Refused(Exception):
    """An action that the rules deny; pages and API show ``verdict.text``."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.code)
