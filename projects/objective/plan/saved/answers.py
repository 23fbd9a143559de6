"""What a project's target and plan say, in the form in which another project begins with it: entries of the forms of its steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel

from projects.core.enums import SharingType
from projects.core.models import Project

from ...enums import Part, Section
from ...models import Objective
from ...surroundings.profile.fields import as_fields
from ...targets.content import Factors, Scope
from ...targets.risk import RiskTargets

Entries = dict[str, list[str]]
"""Field of a step's form → the texts that are sent for it."""

# What another project's answer says nothing about: it is left open, or as the form suggests it.
ANEW: dict[Part, frozenset[str]] = {
    Part.SCOPE: frozenset({"use", "use_risk", "related", "relation"}),
    Part.FACTORS: frozenset({"use_after", "risk_level"}),
    Part.TARGETS: frozenset({"why", "context_risk", "context_reason"}),
}


def _texts_of(content: type[BaseModel], part: Part) -> tuple[str, ...]:
    """The fields that hold sentences, and no choice, number or day."""
    return tuple(
        name
        for name, field in content.model_fields.items()
        if field.annotation is str and name not in ANEW[part]
    )


SECTIONS = (Section.SCHEME, Section.STAKEHOLDERS, Section.CONTINGENCY, Section.SCHEDULE)
"""The sections of the plan that may hold for other projects; purpose, goals, data, sharing and people follow from each one's own answers."""
PREPARATION = "preparation_explanation"
TEXTS: dict[Part, tuple[str, ...]] = {
    Part.SCOPE: _texts_of(Scope, Part.SCOPE),
    Part.FACTORS: _texts_of(Factors, Part.FACTORS),
    Part.TARGETS: _texts_of(RiskTargets, Part.TARGETS),
    Part.PLAN: (*(section.value for section in SECTIONS), PREPARATION),
}
"""Of each step the answers that a person wrote in sentences: they may speak of that one project."""


def text_key(part: Part, name: str) -> str:
    """What forms and programs call one of :data:`TEXTS`."""
    return f"{part}.{name}"


def texts_picked(keys: Iterable[str]) -> set[tuple[Part, str]]:
    """(step, field) of each :func:`text_key`."""
    split = (key.partition(".") for key in keys)
    return {(Part(part), name) for part, _point, name in split}


@dataclass(frozen=True)
class Answers:
    """The sharing type, and what each step's form begins with."""

    sharing_type: SharingType
    parts: Mapping[Part, Entries]

    def without(self, part: Part, names: Collection[str]) -> Self:
        """The same, but nothing said in the fields ``names`` of ``part``."""
        kept = {name: texts for name, texts in self.parts.get(part, {}).items() if name not in names}
        return type(self)(self.sharing_type, {**self.parts, part: kept})

    def with_texts(self, picked: Collection[tuple[Part, str]]) -> Self:
        """The same, with those texts alone that are ``picked``; choices and numbers stay."""
        found = self
        for part, names in TEXTS.items():
            found = found.without(part, [name for name in names if (part, name) not in picked])
        return found

    def texts(self) -> list[tuple[Part, str, str]]:
        """(step, field, text) of each text that says something."""
        return [
            (part, name, said)
            for part, names in TEXTS.items()
            for name in names
            if (said := "".join(self.parts.get(part, {}).get(name, [])))
        ]

    def as_json(self) -> dict[str, Any]:
        parts = {str(part): entries for part, entries in self.parts.items() if entries}
        return {"saved": 1, "sharing_type": str(self.sharing_type), "parts": parts}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """What :meth:`as_json` made."""
        parts = {Part(part): entries for part, entries in content["parts"].items()}
        return cls(SharingType(content["sharing_type"]), parts)


def answers_of(project: Project) -> Answers | None:
    """None before a target was written, and of what is completely public: that is confirmed each time, so nobody begins with it."""
    said = Objective.objects.filter(project=project).first()
    if said is None or not project.sharing_type or project.sharing_type == SharingType.PUBLIC:
        return None
    contents = ((Part.SCOPE, said.scope), (Part.FACTORS, said.factors), (Part.TARGETS, said.risk))
    parts: dict[Part, Entries] = {
        part: {
            name: _sent(value) for name, value in as_fields(content or {}).items() if name not in ANEW[part]
        }
        for part, content in contents
    }
    parts[Part.PLAN] = _plan_entries(said.plan or {})
    return Answers(SharingType(project.sharing_type), parts)


def _plan_entries(plan: Mapping[str, Any]) -> Entries:
    """:data:`SECTIONS`, and how data are prepared; no day, which belongs to that one project."""
    entries = {section.value: [plan[section.value]] for section in SECTIONS if section.value in plan}
    if (prepared := plan.get("preparation")) is not None:
        entries |= {f"preparation_{n}": [key] for n, key in enumerate(prepared["steps"] or ["none"], start=1)}
        entries[PREPARATION] = [prepared["explanation"]]
    return entries


def _sent(value: Any) -> list[str]:
    """An answer as a form sends it."""
    if isinstance(value, list):
        return [str(one) for one in value]
    return [] if value is None else [str(value)]
