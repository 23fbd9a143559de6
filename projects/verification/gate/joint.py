"""The gate over several tables: each by itself, the joins between them, and the view that joins them all.

Works in the worker, on plain data, like :mod:`.gate`. What a table says stands in its own part of the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from projects.processing.recipes.suggestion import k_needed
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, gettext_noop
from techniques.risk.joined import JoinedRisk, JoinedTable, joined_risk
from techniques.tables.joins import JoinCounts, join_counts

from ..enums import CheckKind
from .case import Case, Check, Table, Tick, text
from .context import worst_of
from .gate import measure_all, source_text

if TYPE_CHECKING:
    from techniques.risk.joined import Link

_EACH = 0.8
"""Share of the work that is the tables by themselves."""


def measure_joint(
    cases: Mapping[str, tuple[Case, str]], links: Sequence[Link], tick: Tick
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every check of every table, of every link and of the joined view, and the full report, JSON-ready.

    ``cases``: name of the table, the main one first → what is judged, and the SHA-256 of the file as just read.
    The report of the main table is the report; it has those of the others under ``tables``.
    """
    checks: list[dict[str, Any]] = []
    reports: dict[str, dict[str, Any]] = {}
    for number, (name, case) in enumerate(own_cases(cases).items()):
        begun = _EACH * number / len(cases)
        part = _part(tick, begun, _EACH / len(cases))
        found, reports[name] = measure_all(case, cases[name][1], part)
        checks += [{**check, "table": name} for check in found]
    joins: list[dict[str, Any]] = []
    for link in links:
        checks.append(_join(cases, link, joins).as_dict())
        tick(_EACH)
    joined: list[dict[str, Any]] = []
    checks += [check.as_dict() for check in _joined(cases, links, joined)]
    tick(1.0)
    main, *others = reports
    report = reports[main] | {"main": main, "tables": {name: reports[name] for name in others}}
    report |= {"joins": joins, "joined": joined}
    # The whole is no better than its worst table, and no better than what its joined view says.
    sharing_type = next(iter(cases.values()))[0].sharing_type
    report |= worst_of(list(reports.values()), checks, sharing_type)
    return checks, report


def _part(tick: Tick, begun: float, share: float) -> Tick:
    return lambda done: tick(begun + share * min(1.0, done))


def own_cases(cases: Mapping[str, tuple[Case, Any]]) -> dict[str, Case]:
    """Targets about columns are for the table that has them; where none has, the main table fails them."""
    headers = [set(case.source.columns()) for case, _of in cases.values()]
    own = {}
    for number, (name, (case, _of)) in enumerate(cases.items()):
        kept = []
        for target in case.utility:
            has = [{*target.needed_columns()} <= header for header in headers]
            if has[number] or (number == 0 and not any(has)):
                kept.append(target)
        own[name] = replace(case, utility=kept)
    return own


def measured_of(measured: Mapping[str, Any], table: str) -> dict[str, Any]:
    """``checks`` and ``report`` of one table by itself; a single table has no name."""
    checks, report = measured["checks"], measured["report"]
    if table:
        checks = [check for check in checks if check.get("table") == table]
        report = report if table == report["main"] else report["tables"][table]
    return {"checks": checks, "report": report}


def _cells(table: Table, column: str) -> Iterator[Any]:
    place: int | None = None
    for batch in table.batches():
        place = batch.schema.get_field_index(column) if place is None else place
        if place < 0:
            raise EngineError(
                "column_missing", gettext_noop("The result has no column called “%(column)s”."), column=column
            )
        yield batch.column(place)


def _counts(source: Table, link: Link, target: Table) -> JoinCounts:
    return join_counts(_cells(source, link.source[1]), _cells(target, link.target[1]))


def _name(link: Link) -> str:
    return f"{'.'.join(link.source)} → {'.'.join(link.target)}"


def _join(cases: Mapping[str, tuple[Case, str]], link: Link, joins: list[dict[str, Any]]) -> Check:
    """Rows with a key that still find their counterpart, against what joined before.

    Records that the limit of suppression allows to go may leave others without their counterpart, no more.
    Nothing may join that did not join before: then two keys would have become one.
    """
    source, target = cases[link.source[0]][0], cases[link.target[0]][0]
    label = {**text(source_text(CheckKind.JOIN.label)), "columns": _name(link)}
    try:
        before = _counts(source.source, link, target.source)
        after = _counts(source.result, link, target.result)
    except EngineError as error:
        return Check(
            CheckKind.JOIN, label, unit="none", sense="none",
            plain=text(error.message, **{k: str(v) for k, v in error.params.items()}),
        )  # fmt: skip
    joins.append({"link": _name(link), "before": before.as_dict(), "after": after.as_dict()})
    kept = after.share / before.share if before.joined else 0.0
    least = 1.0 - source.risk.suppression_limit
    grown = after.joined > before.joined or after.keys > before.keys or after.repeated > before.repeated
    passed = after.joined > 0 and kept >= least - 1e-12 and not grown
    plain = text(
        gettext_noop(
            "%(joined)d of %(rows)d rows with a key find their counterpart; in the source %(joined_before)d of "
            "%(rows_before)d did."
        ),
        joined=after.joined,
        rows=after.rows,
        joined_before=before.joined,
        rows_before=before.rows,
    )
    fixes = []
    if grown:
        fixes.append(
            text(
                gettext_noop(
                    "Keys that were different have become equal: use longer pseudonyms or an encryption"
                )
            )
        )
    elif not passed:
        fixes.append(
            text(
                gettext_noop(
                    "Let fewer records of the table referred to be suppressed: generalise it further"
                )
            )
        )
    return Check(
        CheckKind.JOIN,
        label,
        target=least,
        measured=min(1.0, kept),
        passed=passed,
        sense="at_least",
        plain=plain,
        formula=f"({after.joined} / {after.rows}) / ({before.joined} / {before.rows}) = {kept:.4g}",
        fixes=fixes,
    )


def _joined(
    cases: Mapping[str, tuple[Case, str]], links: Sequence[Link], joined: list[dict[str, Any]]
) -> list[Check]:
    """The joined view against the same k as each table; what cannot be measured does not pass."""
    label = text(source_text(CheckKind.JOINED.label))
    risk = next(iter(cases.values()))[0].risk
    needed = k_needed(risk)
    try:
        found = joined_risk(joined_tables(cases), links, target_k=needed)
    except EngineError as error:
        plain = text(error.message, **{k: str(v) for k, v in error.params.items()})
        return [Check(CheckKind.JOINED, label, unit="none", sense="none", plain=plain)]
    joined += [
        {"tables": list(one.tables), "rows": one.rows, "persons": one.persons, "k": one.k} for one in found
    ]
    return [_joined_check(one, label, needed) for one in found]


def joined_tables(cases: Mapping[str, tuple[Case, Any]]) -> dict[str, JoinedTable]:
    """The written tables with the quasi-identifiers that are left in each."""
    tables = {}
    for name, (case, _sha256) in cases.items():
        columns = case.result.columns()
        quasi = [c for c in columns if case.roles.get(c) == AttributeRole.QUASI_IDENTIFIER]
        tables[name] = JoinedTable(case.result.batches, quasi)
    return tables


def _joined_check(found: JoinedRisk, label: dict[str, Any], needed: int) -> Check:
    passed = found.k >= needed
    return Check(
        CheckKind.JOINED,
        {**label, "columns": " + ".join(found.tables)},
        target=needed,
        measured=found.k,
        passed=passed,
        unit="count",
        sense="at_least",
        plain=text(
            gettext_noop(
                "Joined by their keys the tables have %(rows)d rows about %(persons)d persons; the smallest class "
                "holds %(k)d of them. Somebody who knows several rows of one person at once is not counted."
            ),
            rows=found.rows,
            persons=found.persons,
            k=found.k,
        ),
        formula=f"min {found.k} ≥ {needed}",
        fixes=[]
        if passed
        else [
            text(
                gettext_noop(
                    "Generalise or remove quasi-identifiers further: %(below)d persons are in classes that are too "
                    "small once the tables are joined"
                ),
                below=found.below,
            )
        ],
    )
