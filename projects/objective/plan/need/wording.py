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
        _("Reason for the need"),
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
        _("The organisation or group that will use the data, and what it is responsible for."),
        "T/ISC 0078 5.1 a 2",
    ),
    "act": Question(_("What they will do with the data"), "", "T/ISC 0078 5.1 a 2"),
    "what": Question(
        _("Which data, and why personal records have to be shared"),
        _("Which records and which of their fields, and what each field is needed for."),
        "T/ISC 0078 5.1 a 2",
    ),
    "ground": Question(
        _("What permits it"),
        _("The consent, law or contract under which the data was collected and may be passed on."),
        "T/ISC 0078 5.1 a 2",
    ),
    "scene": Question(
        _("Where the data will be used"),
        _("Systems, places and people at the recipient, and who else could reach them there."),
        "T/ISC 0078 5.1 a 2",
    ),
    "benefit": Question(
        _("Expected benefit"), _("Who benefits, and what would be lost without the data."), "T/ISC 0078 7.3"
    ),
    "instead": Question(
        _("What would be enough instead"), _("Start with what needs no personal records."), "T/ISC 0078 7.3"
    ),
    "instead_why": Question(
        _("Why that is, or is not, enough"),
        _("For each item ticked: what it would provide, and what would still be missing."),
        "T/ISC 0078 7.3",
    ),
    "structured": Question(_("The data is structured and no longer changes"), "", "T/ISC 0078 7.4 a"),
    "bearable": Question(_("The system load and the cost are acceptable"), "", "T/ISC 0078 7.4 b"),
    "unrecoverable": Question(
        _("With today's technology nobody can be identified and no value recovered"), "", "T/ISC 0078 7.4 c"
    ),
    "usable": Question(_("The result will still be usable"), "", "T/ISC 0078 7.4 d"),
    "points_why": Question(
        _("What these four answers are based on"),
        _("For example a run on a sample, earlier projects, or what the recipient says it needs."),
        "T/ISC 0078 7.4",
    ),
    "resources": Question(_("Resources"), _("The people, machines and money available."), "T/ISC 0078 7.4"),
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
