"""What each question about a need is called, and the answers in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from ...enums import Instead, Met, Trigger
from ...wording import Question
from .content import is_relative

NEED: dict[str, Question] = {
    "trigger": Question(
        _("Why it comes up"),
        _("The first five are the cases in which the law leaves no other use of the data."),
        "T/ISC 0078 5.1 a 1",
    ),
    "due_on": Question(
        _("To be done by"),
        _("Required where consent was taken back, an account was closed or a term of storage ends."),
        "T/ISC 0078 5.1 a 1",
    ),
    "who": Question(
        _("Who needs the data"),
        _("The organisation or group that will use them, and what it is responsible for."),
        "T/ISC 0078 5.1 a 2",
    ),
    "act": Question(_("What they will do with them"), "", "T/ISC 0078 5.1 a 2"),
    "what": Question(
        _("Which data, and why records of persons have to leave"),
        _("Which records and which of their fields, and what each field is needed for."),
        "T/ISC 0078 5.1 a 2",
    ),
    "ground": Question(
        _("What permits it"),
        _("Consent, law or contract on which the data were collected and may be passed on."),
        "T/ISC 0078 5.1 a 2",
    ),
    "scene": Question(
        _("Where they will be used"),
        _("Systems, places and people at the recipient, and who else could reach them there."),
        "T/ISC 0078 5.1 a 2",
    ),
    "benefit": Question(
        _("What good comes of it"), _("For whom, and what would be lost without it."), "T/ISC 0078 7.3"
    ),
    "instead": Question(
        _("What would do instead"), _("What needs no record of a person comes first."), "T/ISC 0078 7.3"
    ),
    "instead_why": Question(
        _("Why that does, or does not, do"),
        _("Of each thing ticked: what it would give, and what would still be missing."),
        "T/ISC 0078 7.3",
    ),
    "structured": Question(_("The data are structured and do not change any more"), "", "T/ISC 0078 7.4 a"),
    "bearable": Question(_("Load of the systems and cost are bearable"), "", "T/ISC 0078 7.4 b"),
    "unrecoverable": Question(
        _("With the technology of today nobody will be identified or restored"), "", "T/ISC 0078 7.4 c"
    ),
    "usable": Question(_("The result will still be usable"), "", "T/ISC 0078 7.4 d"),
    "points_why": Question(
        _("What these four answers rest on"),
        _("Such as a run on a sample, earlier projects, or what the recipient says it needs."),
        "T/ISC 0078 7.4",
    ),
    "resources": Question(_("Resources"), _("People, machines and money that are there."), "T/ISC 0078 7.4"),
    "skill": Question(
        _("Skill"), _("Who has done the like before, and what is to be learnt."), "GB/T 37964 6.2"
    ),
    "time": Question(_("Time"), _("When it is needed, and how long the work takes."), "T/ISC 0078 7.4"),
}
NECESSITY = "trigger,due_on,who,act,what,ground,scene,benefit,instead,instead_why"
FEASIBILITY = "structured,bearable,unrecoverable,usable,points_why,resources,skill,time"

_CHOICES: dict[str, Any] = {
    "trigger": Trigger,
    "instead": Instead,
    "structured": Met,
    "bearable": Met,
    "unrecoverable": Met,
    "usable": Met,
}


def need_rows(need: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The need in the order of its questions, and what follows for the result; no row where none was accepted."""
    if need is None:
        return []
    rows = [
        {"key": str(question.label), "value": _answer(name, need[name]), "hint": question.clause}
        for name, question in NEED.items()
        if need[name] not in (None, "")
    ]
    return [*rows, {"key": str(_("What follows")), "value": outcome(need), "hint": "T/ISC 0078 7.4"}]


def outcome(need: Mapping[str, Any]) -> str:
    """What may come out, by the four answers."""
    if is_relative(need):
        return str(
            _(
                "Relative anonymisation: the result is shared under control only, by agreement or inside a controlled environment."
            )
        )
    return str(_("Anonymisation is feasible: all four points are met."))


def _answer(name: str, value: Any) -> str:
    choices = _CHOICES.get(name)
    if choices is None:
        return str(value)
    if isinstance(value, list):
        return "\n".join(str(choices(one).label) for one in value)
    return str(choices(value).label)
