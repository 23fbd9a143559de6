"""A request as it is planned, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .addresses import Address
from .language import Rule


@dataclass(frozen=True)
class Knock:
    """One request as it is planned. ``way``: with a session, with the key of a token, or without CSRF token."""

    address: Address
    method: str
    rule: Rule
    role: str
    arguments: dict[str, Any]
    expected: str
    label: str = ""
    way: str = "session"
    key: str = ""


@dataclass
class Visit:
    """One request: who, where, how, what was expected, what came, and what was wrong with it by kind."""

    checkpoint: str
    role: str
    name: str
    method: str
    expected: str
    status: int
    queries: int
    repeated: int
    label: str = ""
    faults: list[tuple[str, str]] = field(default_factory=list)

    @property
    def succeeded(self) -> bool:
        return self.expected == "permitted" and self.status < 400

    def __str__(self) -> str:
        return f"{self.role} {self.method} {self.name}{self.label} @ {self.checkpoint}: {self.status}"
