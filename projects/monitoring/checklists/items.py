"""A checklist as it is put to a supervisor, and what stands against passing by the answers.

Which items there are says the organisation (:func:`set_checklist_source`). What was answered is kept with the review, with
the items as they were: another version of the checklist changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.decisions.models import ItemAnswer
from projects.workflow import Stage


@dataclass(frozen=True)
class Item:
    """One point: its text in both languages, the clause that it is about, and whether a stage passes only when it holds."""

    zh: str
    en: str
    clause: str
    obligatory: bool

    @property
    def text(self) -> str:
        return self.zh if (get_language() or "").startswith("zh") else self.en

    def as_json(self) -> dict[str, Any]:
        return {"zh": self.zh, "en": self.en, "clause": self.clause, "obligatory": self.obligatory}


@dataclass(frozen=True)
class Checklist:
    """The items of a stage in order; ``version`` 0: the organisation asks nothing beside the standard's requirements."""

    version: int = 0
    hash: str = ""
    items: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What was said of one item; an empty ``answer``: nothing."""

    answer: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Answers:
    """The answers to the checklist of this ``hash``, in the order of its items."""

    hash: str = ""
    given: Sequence[Answer] = field(default_factory=tuple)


_source: Callable[[Stage], Checklist] = lambda stage: Checklist()  # noqa: E731


def set_checklist_source(source: Callable[[Stage], Checklist]) -> None:
    """Let the organisation say which checklist is in force for a stage."""
    global _source
    _source = source


def checklist_of(stage: Stage) -> Checklist:
    return _source(stage)


def without_reason(given: Sequence[Answer]) -> list[int]:
    """The places of answers that are nothing without a reason: does not hold, not applicable."""
    needed = (ItemAnswer.FAILS, ItemAnswer.NOT_APPLICABLE)
    return [place for place, one in enumerate(given) if one.answer in needed and not one.reason.strip()]


def blocking_places(checklist: Checklist, given: Sequence[Answer]) -> list[int]:
    """The places of obligatory items that have no answer, or do not hold."""
    blocking = ("", ItemAnswer.FAILS)
    return [
        place
        for place, (item, one) in enumerate(zip(checklist.items, given, strict=True))
        if item.obligatory and one.answer in blocking
    ]


def against_text(checklist: Checklist, given: Sequence[Answer], places: Sequence[int]) -> str:
    """The items at ``places`` with why each stands against passing."""
    lines = []
    for place in places:
        item, one = checklist.items[place], given[place]
        why = _("no answer") if not one.answer else one.reason or str(ItemAnswer.FAILS.label)
        lines.append(
            _("%(number)d “%(item)s” (%(why)s)") % {"number": place + 1, "item": item.text, "why": why}
        )
    return _("; ").join(lines)


def rows_of(checklist: Checklist, given: Sequence[Answer]) -> list[dict[str, Any]]:
    """What is kept with the review: each item as it was, with its answer."""
    return [
        item.as_json() | {"answer": str(one.answer), "reason": one.reason.strip()}
        for item, one in zip(checklist.items, given, strict=True)
    ]


def answers_read(rows: Sequence[Mapping[str, str]], of: str) -> Answers:
    """What a program sends: ``answer`` and ``reason`` of each item in order."""
    return Answers(of, [Answer(row.get("answer", ""), row.get("reason", "")) for row in rows])
