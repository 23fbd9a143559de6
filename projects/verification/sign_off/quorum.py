"""How many members of senior management sign, and what asks for that many; until the organisation says more, one.

The largest number counts: of how a result is shared, and of how its data are graded. It is decided here and nowhere else, and
fixed with what asks for it when a content is submitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.numbers import count
from projects.objective.enums import Classification


class Basis(StrEnum):
    """What a number of signatures goes by."""

    SHARING = "sharing"
    GRADE = "grade"


@dataclass(frozen=True)
class Ask:
    """How many signatures a version of the organisation's rules asks for; ``value`` is the sharing type or the grade."""

    needed: int
    by: Basis
    value: str
    version: int

    def as_json(self) -> dict[str, Any]:
        return {"by": self.by.value, "value": self.value, "version": self.version}


@dataclass(frozen=True)
class Quorum:
    """How many have to sign; ``by`` is what asks for that many, None where one signs."""

    needed: int = 1
    by: list[dict[str, Any]] | None = None


Source = Callable[[Project], Sequence[Ask]]


def _nothing(project: Project) -> Sequence[Ask]:
    return ()


_source: Source = _nothing


def set_quorum_source(source: Source) -> None:
    """Let the organisation say how many sign: each of its rules that speaks of a project."""
    global _source
    _source = source


def quorum_of(project: Project) -> Quorum:
    """How many would have to sign what is submitted now: a result, or a change of its recipients."""
    asks = _source(project)
    needed = max((one.needed for one in asks), default=1)
    if needed == 1:
        return Quorum()
    return Quorum(needed, [one.as_json() for one in asks if one.needed == needed])


def signatures_text(needed: int, by: Iterable[Mapping[str, Any]] | None) -> str:
    """How many signatures are needed and why; empty where one is, and of what was submitted before the reason was kept."""
    if not by:
        return ""
    text = _("%(needed)s signatures are needed, because %(why)s.")
    return text % {"needed": count(needed), "why": why_text(by)}


def why_text(by: Iterable[Mapping[str, Any]] | None) -> str:
    """What asks for several signatures, as part of a sentence."""
    return _(" and because ").join(_said(one) for one in by or ())


def _said(one: Mapping[str, Any]) -> str:
    if one["by"] == Basis.GRADE:
        text = _("the data are graded as “%(value)s” by version %(version)s of the grading")
        value = Classification(one["value"]).label
    else:
        text = _("the result is shared by “%(value)s” (version %(version)s of the numbers of signatures)")
        value = SharingType(one["value"]).label
    return text % {"value": value, "version": one["version"]}
