"""What one set of releases tells together; works in the worker, reads the written files and keeps figures only."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from projects.identification.selectors import verdicts_of
from projects.processing.models import RunTable
from projects.verification.gate.case import Case
from projects.verification.gate.rows import cells_of
from projects.verification.gate.selectors import table_case
from techniques.catalogue.technique import Scope
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.subjects import persons, persons_of_groups
from techniques.data_utility.covering import Hierarchy, labels_above
from techniques.disclosure_risk.releases.composition import Release as Held
from techniques.disclosure_risk.releases.composition import composition
from techniques.disclosure_risk.releases.covers import Combinations, Cover, known_columns
from techniques.disclosure_risk.releases.differencing import differences
from techniques.disclosure_risk.releases.findings import Dimensions
from techniques.disclosure_risk.releases.increments import increment
from techniques.disclosure_risk.releases.keyed import Keyed, joined
from techniques.disclosure_risk.releases.lengths import in_common
from techniques.recipe.recipe import Recipe
from techniques.tables.subjects import read_subjects

from ..models import RelativesMeasurement, Release
from .linking import dates_inferred, linked_by_key, linked_of
from .reading import Reader, Tick, file_of, subjects_of
from .report import OWN, Changed, Finding
from .selectors import KEYED, pseudonyms_of

if TYPE_CHECKING:
    from techniques.core.settings import TechniqueSettings
    from techniques.core.subjects import Subjects

SAME_GROUPS = 0.5
"""The share of the groups of the version that has fewer which both must have, so that their counts can be compared."""
KEPT_GROUPS = 50


def finding_of(measurement: RelativesMeasurement, number: int, tick: Tick) -> Finding:
    """What is found of set ``number``; where the engine refuses, a finding that says why."""
    wanted = measurement.sets[number]
    given = {"kind": wanted["kind"], "table": wanted["table"], "releases": (OWN, *wanted["releases"])}
    tables = RunTable.objects.select_related(
        "table", "dataset__stored", "result", "subjects", "run__recipe_version", "run__project"
    )
    try:
        own = tables.get(run=measurement.run_id, name=wanted["table"])
        case = table_case(measurement.project, own, own.run.recipe_version, verdicts_of(own.table))
        is_keyed = wanted["kind"] == "keyed"
        # By a pseudonym persons are found in the other release with what that one says of them.
        if not (is_keyed or case.quasi()) or cells_of(case.steps, case.result.rows) is not None:
            text = gettext_noop(
                "The result has no rows of persons with quasi-identifiers, so nobody can be looked for in it."
            )
            raise EngineError("releases.no_persons", text)
        runs = dict(Release.objects.filter(pk__in=wanted["releases"]).values_list("pk", "run_id"))
        others = {
            one: tables.get(run=runs[uuid.UUID(one)], name=wanted["tables"][one])
            for one in wanted["releases"]
        }
        reader = Reader(tick)
        if wanted["kind"] == "linked":
            linked = linked_of(case, own, measurement.k, reader)
            return Finding(**given, linkage=linked, quasi=tuple(case.quasi()))
        if is_keyed:
            return Finding(**given, **_keyed(case, own, others, wanted, measurement.k, reader))
        measure = _composed if wanted["kind"] == "composition" else _versions
        return Finding(**given, **measure(case, own, others, measurement.k, reader))
    except EngineError as error:
        params = {
            name: one if isinstance(one, int | float) else str(one) for name, one in error.params.items()
        }
        return Finding(**given, problem=error.message, params=params)


def _composed(
    case: Case, own: RunTable, others: Mapping[str, RunTable], k: int, reader: Reader
) -> dict[str, Any]:
    """Of one source: who is found in all of these releases together, and what of them (D.4)."""
    files = {OWN: (own, case.result)} | {one: (table, file_of(table)) for one, table in others.items()}
    roles = case.roles
    quasi = [name for name in case.source.columns() if roles.get(name) == AttributeRole.QUASI_IDENTIFIER]
    sensitive = [
        name for name in case.source.columns() if roles.get(name) == AttributeRole.SENSITIVE_ATTRIBUTE
    ]
    columns = [file.columns() for _table, file in files.values()]
    shared = [name for name in columns[0] if sum(name in one for one in columns) > 1]
    wanted = list(dict.fromkeys([*quasi, *sensitive, *shared]))
    source = reader.table(case.source, quasi)
    subjects = read_subjects(case.source.batches(), case.person_key or ())
    trees = _trees([own, *others.values()])
    held, left_out = [], {}
    tables = {name: table for name, (table, _file) in files.items()}
    read = {name: reader.table(file, wanted) for name, (_table, file) in files.items()}
    for name, rows in _written_alike(tables, read).items():
        strange = [
            column
            for column in quasi
            if column in rows.column_names and _is_strange(source, rows, column, trees)
        ]
        if strange:
            left_out[name] = tuple(strange)
        held.append(Held(name, rows.drop_columns(strange), subjects_of(case, tables[name])))
    found = composition(source, held, quasi, sensitive, k=k, hierarchies=trees, subjects=subjects)
    known = [known_columns(one.table, quasi) for one in held]
    dimensions = Dimensions(alone=max(map(len, known)), together=len(set().union(*known)))
    results = {name: file for name, (_table, file) in files.items()}
    return {
        "composed": found[-1], "quasi": tuple(quasi), "left_out": left_out, "dimensions": dimensions,
        "inferred": tuple(one for one in dates_inferred(case, results, reader) if one.release != OWN),
    }  # fmt: skip


def _keyed(
    case: Case,
    own: RunTable,
    others: Mapping[str, RunTable],
    wanted: Mapping[str, Any],
    k: int,
    reader: Reader,
) -> dict[str, Any]:
    """Of sources that may have nothing but persons in common: who is found by rows that one pseudonym joins (D.3, D.4)."""
    cases = {OWN: (own, case)} | {
        one: (
            table,
            table_case(table.run.project, table, table.run.recipe_version, verdicts_of(table.table)),
        )
        for one, table in others.items()
    }
    keys, held = {OWN: wanted["column"], **wanted["columns"]}, []
    if not any(one.quasi() for _table, one in cases.values()):
        text = gettext_noop(
            "None of these releases has quasi-identifiers of persons, so nobody can be looked for in what joins them."
        )
        raise EngineError("releases.no_persons", text)
    for release, (table, one) in cases.items():
        column = keys[release]
        there = one.result.columns()
        if column not in there or cells_of(one.steps, one.result.rows) is not None:
            text = gettext_noop(
                "The pseudonyms of %(column)s are not in the rows of each of these releases, so nothing is joined by them."
            )
            raise EngineError("releases.no_pseudonyms", text, column=column, release=release)
        quasi = tuple(name for name in one.quasi() if name != column)
        sensitive = tuple(
            name
            for name in there
            if one.roles.get(name) == AttributeRole.SENSITIVE_ATTRIBUTE and name not in one.made_up_columns
        )
        rows = reader.table(one.result, list(dict.fromkeys([column, *quasi, *sensitive])))
        held.append(Keyed(release, rows, (column,), quasi, sensitive, subjects_of(one, table)))
    texts = in_common(
        [one.table.column(one.key[0]) for one in held],
        [_treatment(table, keys[release]) for release, (table, _case) in cases.items()],
    )
    alike = [
        replace(one, table=_replaced(one.table, one.key[0], written))
        for one, written in zip(held, texts, strict=True)
    ]
    return {
        "joined": joined(alike, k=k),
        "linkage": linked_by_key(cases, alike, k, reader),
        "quasi": tuple(dict.fromkeys(name for one in held for name in one.quasi)),
        "attributes": {one.name: one.sensitive for one in held},
    }


def _written_alike(tables: Mapping[str, RunTable], rows: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The rows of each release of one source with the pseudonyms that it shares with the first as :func:`in_common` writes them."""
    keys = {name: pseudonyms_of(table) for name, table in tables.items()}
    found = dict(rows)
    for column, rests_on in keys[OWN].items():
        there = [
            name
            for name, one in found.items()
            if column in one.column_names and rests_on & keys[name].get(column, set())
        ]
        texts = in_common(
            [found[name].column(column) for name in there],
            [_treatment(tables[name], column) for name in there],
        )
        for name, written in zip(there, texts, strict=True):
            found[name] = _replaced(found[name], column, written)
    return found


def _replaced(rows: pa.Table, column: str, texts: pa.Array) -> pa.Table:
    return rows.set_column(rows.column_names.index(column), column, texts)


def _treatment(table: RunTable, column: str) -> list[tuple[str, TechniqueSettings]]:
    """The step that gives ``column`` its pseudonyms, and those after it that change them."""
    recipe = Recipe.from_data(table.run.recipe_version.tables[table.name])
    steps = [
        (one.technique, one.parameters)
        for one in recipe.steps
        if column in one.columns and column not in one.kept_columns and one.spec.scope == Scope.COLUMN
    ]
    first = next((place for place, (technique, _given) in enumerate(steps) if technique in KEYED), 0)
    return steps[first:]


def _is_strange(source: pa.Table, rows: pa.Table, column: str, trees: Mapping[str, Hierarchy]) -> bool:
    """Whether the column's values were replaced, so that some stand for no value of the source."""
    try:
        Cover(Combinations.of(source, [column]), Combinations.of(rows, [column]), trees)
    except EngineError as error:
        if error.code == "label_unknown":
            return True
        raise
    return False


def _trees(tables: Iterable[RunTable]) -> dict[str, dict[str, list[str]]]:
    """Column → the labels above each value, by the hierarchies of all recipes."""
    found: dict[str, dict[str, list[str]]] = {}
    for table in tables:
        recipe = Recipe.from_data(table.run.recipe_version.tables[table.name])
        for column, labels in labels_above(recipe.hierarchies).items():
            tree = found.setdefault(column, {})
            for value, above in labels.items():
                tree.setdefault(value, []).extend(above)
    return found


def _versions(
    case: Case, own: RunTable, others: Mapping[str, RunTable], k: int, reader: Reader
) -> dict[str, Any]:
    """Two versions of a table: rows that only one has (D.5), and groups whose counts differ by few persons (D.1)."""
    ((other_id, other),) = others.items()
    same_key = own.run.key_id == other.run.key_id
    # Pseudonyms under different keys are no sign that a row is another one.
    columns = [
        name
        for name in case.result.columns()
        if name in file_of(other).columns()
        and (same_key or case.roles.get(name) != AttributeRole.DIRECT_IDENTIFIER)
    ]
    quasi = [name for name in case.quasi() if name in columns]
    if not quasi:
        text = gettext_noop(
            "The two releases have no quasi-identifier in common, so their rows cannot be compared."
        )
        raise EngineError("releases.nothing_common", text)
    rows = {
        OWN: (own, reader.table(case.result, columns)),
        other_id: (other, reader.table(file_of(other), columns)),
    }
    first, last = sorted(rows, key=lambda one: rows[one][0].run.started_at)
    before, after = rows[first][1], rows[last][1]
    owners = {one: subjects_of(case, table) for one, (table, _rows) in rows.items()}
    found = increment(before, after, quasi, k=k, subjects=owners[last])
    changed = _changed(before, after, quasi, k, (owners[first], owners[last]))
    return {"earlier": first, "increment": found, "changed": changed, "quasi": tuple(quasi)}


def _changed(
    before: pa.Table,
    after: pa.Table,
    quasi: Sequence[str],
    least: int,
    owners: tuple[Subjects | None, Subjects | None],
) -> Changed | None:
    """The counts of both versions by ``quasi``; None where too few groups are the same for them to be versions of one table."""
    old, new = (_counts(table, quasi, whose) for table, whose in zip((before, after), owners, strict=True))
    common = len({*old} & {*new})
    if common < SAME_GROUPS * min(len(old), len(new)) or not common:
        return None
    count = "n"
    while count in quasi:
        count += "_"
    tables = [
        pa.table(
            {
                **{
                    name: pa.array([group[at] for group in found], pa.string())
                    for at, name in enumerate(quasi)
                },
                count: pa.array([str(number) for number in found.values()], pa.string()),
            }
        )
        for found in (old, new)
    ]
    compared = differences(tables[0], tables[1], quasi, count, least=least)
    pairs = sorted(
        ((old.get(one.group, 0), new.get(one.group, 0)) for one in compared.found),
        key=lambda pair: (abs(pair[1] - pair[0]), pair),
    )
    return Changed(
        columns=tuple(quasi), least=least, compared=compared.compared, unchanged=compared.unchanged,
        number=len(pairs), found=tuple(pairs[:KEPT_GROUPS]),
    )  # fmt: skip


def _counts(table: pa.Table, quasi: Sequence[str], whose: Subjects | None) -> dict[tuple[str, ...], int]:
    """Persons of each group."""
    groups = Combinations.of(table, quasi)
    if not table.num_rows:
        return {}
    numbers = persons_of_groups(groups.of_row, groups.number, None if whose is None else persons(whose)[0])
    texts = [
        [("" if code < 0 else values[code].as_py()) for code in codes.tolist()]
        for values, codes in zip(groups.values, groups.codes, strict=True)
    ]
    return {group: int(number) for group, number in zip(zip(*texts, strict=True), numbers, strict=True)}
