"""The gate: every target of step 1 against what was measured on the written result files.

Works in the worker, on plain data; knows no database. Verification and re-assessment both come here, with the tables as
they were just read, so that one list of checks serves both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from projects.jobs.memory import memory_give_back
from techniques.core.messages import EngineError

from ..reports.gate import CheckResult, Measurement, Population, Report, Severities, TableReport, Targets
from .case import Case, own_cases
from .check import Check, TableCheck, TableSubject, Tick, WholeCheck, WholeSubject, problem_text
from .checks import CHECKS
from .scales.entropy import entropy_of
from .scales.inference import inference_of
from .scales.measurement import scales_of, worst_of

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link

_TABLES = 0.8
"""Share of the work that is the tables by themselves, the rest being what lies between them."""


def measure(
    cases: Mapping[str, Case], links: Sequence[Link], tick: Tick, *, keep_classes: bool = False
) -> Measurement:
    """Every check of every table, and where links lie between them, of each link and of the view that joins them.

    ``cases``: name of the table, in the project's order → what is judged. Whatever fails to run becomes a check that did
    not pass; nothing is left out because it failed. The report is that of the first table, with the scales of the whole,
    and has those of the others in it. ``keep_classes``: the results hold the columns that form their classes afterwards.
    """
    checks: list[CheckResult] = []
    reports: dict[str, TableReport] = {}
    share = _TABLES / len(cases)
    for number, (name, case) in enumerate(own_cases(cases).items()):
        part = _part(tick, share * number, share)
        rows, reports[name] = _measure_table(case, part, keep_classes=keep_classes)
        checks += [row.about(name) for row in rows]
    whole = Report.of_tables(reports)
    about = WholeSubject(cases, links, whole)
    for check in CHECKS:
        if isinstance(check, WholeCheck) and (links or not check.of_links):
            checks += _guarded(check, about, _part(tick, _TABLES, 1 - _TABLES))
    # The whole is no better than its worst table, and no better than what its joined view says.
    sharing_type = next(iter(cases.values())).sharing_type
    whole.level, whole.degree, whole.overall, whole.scales = worst_of(
        list(reports.values()), checks, sharing_type
    )
    tick(1.0)
    return Measurement(checks=checks, report=whole)


def _measure_table(case: Case, tick: Tick, *, keep_classes: bool) -> tuple[list[CheckResult], TableReport]:
    of = TableSubject(case)
    if case.population is not None:
        of.report.population = Population(sha256=case.population_sha256, rows=case.population.rows)
    if harms := case.severities_left():
        of.report.severities = Severities(columns=harms, threshold=case.risk.overall_threshold)
    checks = [check for check in CHECKS if isinstance(check, TableCheck)]
    whole = sum(check.effort for check in checks) or 1.0
    rows: list[tuple[tuple[int, int], CheckResult]] = []
    done = 0.0
    for number, check in enumerate(checks):
        begins = next((n for n, one in enumerate(checks) if check.group and one.group == check.group), number)
        for row in _guarded(check, of, _part(tick, done / whole, check.effort / whole)):
            rows.append(((begins, check.position(row, of)), row))
        memory_give_back()
        done += check.effort
    tick(1.0)
    of.let_go()
    memory_give_back()
    found = [row for _place, row in sorted(rows, key=lambda item: item[0])]
    of.report.targets = Targets.model_validate(case.risk.model_dump(mode="json"))
    scales = scales_of(case, found, of)
    of.report.level, of.report.degree, of.report.overall, of.report.scales = scales
    if (by_entropy := entropy_of(of)) is not None:
        of.report.entropy = by_entropy
    if inferred := inference_of(of):
        of.report.inference = inferred
    case.source.let_go()
    case.result.let_go(of.risk.columns if of.risk is not None and keep_classes else ())
    return found, of.report


def _part(tick: Tick, start: float, share: float) -> Tick:
    return lambda done: tick(start + share * min(1.0, done))


def _guarded(check: Check, of: TableSubject | WholeSubject, tick: Tick) -> list[CheckResult]:
    """What the check finds; where it cannot run, one row that is no pass and says why."""
    try:
        if isinstance(check, TableCheck) and isinstance(of, TableSubject):
            return check.measure(of, tick)
        assert isinstance(check, WholeCheck)
        assert isinstance(of, WholeSubject)
        return check.measure(of, tick)
    except EngineError as error:
        return [check.not_run(problem_text(error))]
