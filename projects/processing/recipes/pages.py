"""What the pages of processing show of recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from django.utils.translation import gettext as _
from pydantic import ValidationError

from projects.core.models import Project
from projects.core.numbers import beside
from projects.objective.presentation import preparation_order
from projects.objective.selectors import planned_preparation
from techniques import catalogue

from .. import wording
from ..runs.findings import step_sentences


@dataclass
class StepLine:
    """A step as a page shows it, with what a run reported about it."""

    number: int
    key: str
    name: str
    clause: str
    basis: str
    summary: str
    columns: list[str]
    settings: list[tuple[str, str]]
    counts: list[str]
    levels: list[dict[str, Any]]
    sentences: list[str]


def step_lines(content: Mapping[str, Any], report: Mapping[str, Any] | None = None) -> list[StepLine]:
    """The steps of a recipe in words; with a run's report also what each of them did."""
    reported = {step["step"]: step for step in (report or {}).get("steps", ())}
    lines = []
    for position, step in enumerate(content["steps"], start=1):
        spec = catalogue.get(step["technique"])
        step_report = reported.get(position, {})
        result = step_report.get("result", {})
        lines.append(
            StepLine(
                number=position,
                key=spec.key,
                name=_(spec.name),
                clause=spec.clause,
                basis=basis_of(step),
                summary=_(spec.summary),
                columns=step["columns"],
                settings=wording.parameter_lines(spec.key, step["parameters"]),
                counts=wording.count_texts(step_report.get("counts", {})),
                levels=wording.level_lines(step["parameters"].get("hierarchies", {}), result),
                sentences=step_sentences(step_report),
            )
        )
    return lines


def basis_of(step: Mapping[str, Any]) -> str:
    """The clauses of the standards and the papers that a step of a recipe rests on with its settings."""
    spec = catalogue.get(step["technique"])
    try:
        clauses, papers = spec.basis(spec.settings.model_validate(step["parameters"]))
    except ValidationError:
        # A recipe of before may be set as none may be today.
        clauses, papers = list(spec.clauses), list(spec.papers)
    return _("; ").join(_(", ").join(one) for one in (clauses, papers) if one)


def preparation_of(content: Mapping[str, Any]) -> tuple[str, str]:
    """How values are prepared before they are treated (5.4.2), as a code for programs and in words: ``steps``, ``none``
    with the reason, or ``not_stated``."""
    prepares = [
        _("step %(number)s, %(technique)s (%(columns)s)")
        % {"number": number, "technique": _(spec.name), "columns": _(", ").join(step["columns"])}
        for number, step in enumerate(content["steps"], start=1)
        if (spec := catalogue.get(step["technique"])).prepares
    ]
    if prepares:
        return "steps", _("; ").join(prepares)
    if reason := content.get("unprepared"):
        return "none", _("None, by choice: “%(reason)s”.") % {"reason": reason.rstrip(".。")}
    return "not_stated", _("Not stated: the recipe prepares nothing and gives no reason.")


def plan_departure(project: Project, content: Mapping[str, Any]) -> str:
    """What the approved plan says of preparation, where ``content`` prepares otherwise; else empty."""
    return departure(planned_preparation(project), content)


def departure(planned: Mapping[str, Any] | None, content: Mapping[str, Any]) -> str:
    """What ``planned`` says, where ``content`` prepares by other techniques or in another order. Empty where both agree, and
    where the plan or the recipe does not say."""
    if planned is None or preparation_of(content)[0] == "not_stated":
        return ""
    techniques = (step["technique"] for step in content["steps"])
    prepares = list(dict.fromkeys(key for key in techniques if catalogue.get(key).prepares))
    if prepares == planned["steps"]:
        return ""
    return _("The approved plan says: %(plan)s.") % {"plan": preparation_order(planned)}


def records_text(content: Mapping[str, Any]) -> str:
    """The columns that name a record from release to release, and whose projects share what is drawn for it."""
    if not (records := content.get("records")):
        return ""
    named = _(", ").join(records["columns"])
    if not records["purpose"]:
        return named
    text = _("%(columns)s, in every project of the purpose “%(purpose)s”")
    return text % {"columns": named, "purpose": records["purpose"]}


def preparation_facts(project: Project, content: Mapping[str, Any]) -> dict[str, str]:
    """How values are prepared (``preparation``) and what the plan says otherwise (``departs``), for a page or a paper."""
    return {"preparation": preparation_of(content)[1], "departs": plan_departure(project, content)}


def yaml_text(content: Mapping[str, Any]) -> str:
    """The recipe as YAML, in the order in which people write it."""
    text: str = yaml.safe_dump(dict(content), allow_unicode=True, sort_keys=False, width=110)
    return text


def differences(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(place, before, after) of everything that two versions say differently, in words."""
    old, new = _flat(before) if before else {}, _flat(after)
    return [
        (place, old.get(place, "–"), new.get(place, "–"))
        for place in dict.fromkeys([*old, *new])
        if old.get(place) != new.get(place)
    ]


def _flat(content: Mapping[str, Any]) -> dict[str, str]:
    """Place → words. Steps of one technique are counted, so that a step that moved reads as moved."""
    output = content.get("output", {})
    flat = {
        _("Name of the recipe"): content.get("title", ""),
        _("Columns that no step mentions"): content.get("unlisted", ""),
        _("Order of the records"): content.get("order", "kept"),
        _("Columns that name a record (D.5)"): records_text(content),
        _("Output"): " · ".join(str(output.get(name, "")) for name in ("format", "encoding", "delimiter")),
        _("Preparation (5.4.2)"): preparation_of(content)[1],
        _("Order of the steps"): " → ".join(wording.technique_name(step["technique"]) for step in content["steps"]),
    }  # fmt: skip
    seen: dict[str, int] = {}
    for step in content["steps"]:
        key = step["technique"]
        seen[key] = seen.get(key, 0) + 1
        name = wording.technique_name(key)
        if seen[key] > 1:
            name = beside(name, str(seen[key]))
        flat[f"{name} · {_('Columns')}"] = _(", ").join(step["columns"])
        for title, value in wording.parameter_lines(key, step["parameters"]):
            flat[f"{name} · {title}"] = value
    return flat
