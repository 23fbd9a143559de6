"""The organisation's own clauses in the text of an agreement; which there are says the organisation (:func:`set_clauses_source`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import get_language


@dataclass(frozen=True)
class Clause:
    """What one clause is about and what it says, in both languages."""

    matter_zh: str
    matter_en: str
    zh: str
    en: str

    @property
    def matter(self) -> str:
        return self.matter_zh if _in_chinese() else self.matter_en

    @property
    def text(self) -> str:
        return self.zh if _in_chinese() else self.en

    def as_json(self) -> dict[str, str]:
        return {"matter_zh": self.matter_zh, "matter_en": self.matter_en, "zh": self.zh, "en": self.en}


@dataclass(frozen=True)
class Clauses:
    """The clauses in force, in order; ``version`` 0: the organisation has none of its own."""

    version: int = 0
    hash: str = ""
    of: tuple[Clause, ...] = ()


_source: Callable[[], Clauses] = Clauses


def set_clauses_source(source: Callable[[], Clauses]) -> None:
    """Let the organisation say which clauses are in force."""
    global _source
    _source = source


def clauses_in_force() -> Clauses:
    return _source()


def _in_chinese() -> bool:
    return (get_language() or "").startswith("zh")
