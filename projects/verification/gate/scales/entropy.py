"""Risk by information entropy of the written result against that of the source: measured in the worker, and in the reader's words.

It stands beside degree, level and overall risk without a threshold of its own, so it opens and stops nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.passages import passage
from projects.core.numbers import beside, count, percent
from projects.datasets.tables.names import titled
from projects.jobs.memory import memory_give_back
from projects.processing.recipes.forecast.formula import entropy_formula, figure
from techniques.catalogue import bases
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError
from techniques.disclosure_risk.sizes import MANY_COLUMNS, columns_that_tell

from ...reports.gate import Entropy, EntropyFigures, Report
from ...wording import translated
from ..check import Formula, problem_text

if TYPE_CHECKING:
    from ..check import TableSubject


def entropy_of(of: TableSubject) -> Entropy | None:
    """The figures of source and result by the quasi-identifiers and sensitive attributes of each; None where no
    quasi-identifier is left, where the risk was not measured, and where the rows are groups of records."""
    from techniques.disclosure_risk.entropy import entropy_change_coded

    case = of.case
    if of.risk is None or case.cells is not None:
        return None
    try:
        left = {*case.quasi()} | {
            name
            for name in case.result.columns()
            if case.roles.get(name) == AttributeRole.SENSITIVE_ATTRIBUTE and name not in case.made_up_columns
        }
        names = case.source.columns()
        quasi, sensitive = (
            [name for name in names if case.roles.get(name) == role]
            for role in (AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE)
        )
        before = case.source.coded([*quasi, *sensitive])
        after = case.result.coded([name for name in (*quasi, *sensitive) if name in left])
        source_subjects, result_subjects = of.persons.source, of.persons.result
        # What coding took must not be added to what all sets of columns take.
        memory_give_back()
        found = entropy_change_coded(
            before,
            after,
            quasi,
            sensitive,
            attack=case.attack,
            source_subjects=source_subjects,
            result_subjects=result_subjects,
        )
    except EngineError as error:
        return Entropy(problem=problem_text(error))
    result = found.result.model_dump(mode="json")
    return Entropy.model_validate(
        {
            "source": {name: found.source.model_dump(mode="json")[name] for name in _FIGURES},
            "result": {name: result[name] for name in _FIGURES},
            "survival": result["survival"],
            "attack": result["attack"],
            "persons": of.persons.result is not None,
        }
    )


_ROUNDING = 1e-9
_FIGURES = ("path", "likelihood", "impact", "risk", "average")


@dataclass(frozen=True)
class EntropyRow:
    """The figure of one table as a row of the scales."""

    label: str
    value: str
    plain: str
    formula: Formula | None


def entropy_rows(report: Report) -> list[EntropyRow]:
    """A row for each table that has the figure."""
    return [_row(name, one.entropy) for name, one in report.by_table() if one.entropy]


def _row(table: str, found: Entropy) -> EntropyRow:
    label = titled(table, _("Risk by information entropy"))
    if found.problem:
        return EntropyRow(label, _("not determined"), translated(found.problem), None)
    figures = {"before": figure(found.source.risk), "after": figure(found.result.risk)}
    plain = (
        _("Source: %(before)s, result: %(after)s. The treatment lowered it.")
        if found.result.risk < found.source.risk * (1 - _ROUNDING)
        else _("Source: %(before)s, result: %(after)s. The treatment did not lower it.")
    ) % figures
    without = _(
        "It has no threshold, so it shows how much the treatment changed but not whether that is enough."
    )
    return EntropyRow(label, figure(found.result.risk), passage((plain, without)), _formula(label, found))


def _formula(label: str, found: Entropy) -> Formula:
    attack = None if found.attack is None else found.attack.model_dump()
    parts = entropy_formula(found.result.model_dump(), attack, persons=found.persons)
    return Formula(label, parts.expression, parts.substituted, parts.terms, parts.source)


def entropy_statements(found: Entropy) -> list[str]:
    """What the figures of one table say; nothing where there are none."""
    if found.problem or not found.result.path:
        return []
    basis = _("It rests on: %(basis)s.") % {"basis": _(bases.ENTROPY)}
    said = [_path_said(found), *_many_said(found), *_assumed(found), _average_said(found), _survived(found)]
    return [*said, basis, _(bases.ENTROPY_LIMITS)]


def _many_said(found: Entropy) -> list[str]:
    """D.2: where many columns go out, how few of them tell nearly everything; nothing where all together do not."""
    path = found.result.path
    few = columns_that_tell([one.severity for one in path])
    if len(path) < MANY_COLUMNS or not few:
        return []
    return [
        _(
            "Many columns are released (D.2): with the first %(few)s of the %(n)s quasi-identifiers "
            "on the path, %(share)s of what singles someone out is known, and with all of them "
            "%(all)s."
        )
        % {
            "few": count(few),
            "n": count(len(path)),
            "share": percent(round(path[few - 1].severity, 12)),
            "all": percent(round(path[-1].severity, 12)),
        }
    ]


def _path_said(found: Entropy) -> str:
    path = found.result.path
    figures = {
        "column": path[0].column,
        "share": percent(path[0].severity),
        "all": percent(path[-1].severity),
        "n": count(len(path)),
    }
    if len(path) == 1:
        return (
            _("Only %(column)s counts as a quasi-identifier; it reveals %(share)s of what singles out a person.")
            if found.persons
            else _("Only %(column)s counts as a quasi-identifier; it reveals %(share)s of what singles out a record.")
        ) % figures  # fmt: skip
    return (
        _(
            "On its own, no quasi-identifier reveals more than %(column)s: %(share)s of what singles "
            "out a person. All %(n)s together reveal %(all)s of it."
        )
        if found.persons
        else _(
            "On its own, no quasi-identifier reveals more than %(column)s: %(share)s of what singles "
            "out a record. All %(n)s together reveal %(all)s of it."
        )
    ) % figures


def _assumed(found: Entropy) -> list[str]:
    attack = found.attack
    if attack is None:
        return []
    return [
        _(
            "Assumed of the attacker: each of up to %(most)s columns is known with a probability of "
            "%(known)s. An exposed sensitive attribute weighs %(sensitive)s, a quasi-identifier "
            "%(quasi)s."
        )
        % {
            "most": count(attack.most_known),
            "known": percent(attack.known),
            "sensitive": figure(attack.sensitive),
            "quasi": figure(attack.quasi),
        }
    ]


def _average_said(found: Entropy) -> str:
    sets = 2 ** len(found.result.path) - 1
    if found.result.average is None:
        return _("The mean over all %(sets)s sets of the quasi-identifiers was not worked out.") % {
            "sets": count(sets)
        }
    said = ngettext(
        "As the mean over the one set of quasi-identifiers the risk is %(average)s.",
        "As the mean over all %(sets)s sets of the quasi-identifiers the risk is %(average)s.",
        sets,
    )
    return said % {"sets": count(sets), "average": figure(found.result.average)}


def _survived(found: Entropy) -> str:
    columns = _(", ").join(beside(name, percent(share)) for name, share in found.survival.items())
    return _("Of the values of the source at most this share survived: %(columns)s.") % {"columns": columns}


def entropy_shown(report: Report) -> list[dict[str, Any]]:
    """What is said and drawn of each table: the path column by column, and source and result by likelihood and impact."""
    return [
        {
            "table": name,
            "statements": entropy_statements(found),
            "path": [(one.column, one.severity - one.gain, one.severity) for one in found.result.path],
            "points": [
                (label, one.likelihood, one.impact, one is found.result)
                for label, one in ((_("Source"), found.source), (_("Result"), found.result))
            ],
            "path_caption": _("The column that adds the most comes next; what it adds is the dark part."),
            "points_caption": passage(
                (_moved(found.source, found.result), _("On each dotted line the risk is the same."))
            ),
        }
        for name, table in report.by_table()
        if (found := table.entropy) and found.result.path
    ]


def _moved(source: EntropyFigures, result: EntropyFigures) -> str:
    """How the treatment changed each of the two."""
    return _("Likelihood: %(likelihood)s, impact: %(impact)s.") % {
        "likelihood": f"{figure(source.likelihood)} → {figure(result.likelihood)}",
        "impact": f"{figure(source.impact)} → {figure(result.impact)}",
    }
