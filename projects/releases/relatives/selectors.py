"""Which releases are relatives of a result: of the same file, with the same key of pseudonyms, or with the same columns."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Exists,
    F,
    JSONField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, JSONObject
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.listed import Listed
from approvals.request_cache import cached_read
from projects.core.models import Membership, Project
from projects.core.selectors import visible_projects
from projects.processing.models import Run, RunTable
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.workflow import Role, Stage
from techniques import catalogue
from techniques.recipe.recipe_set import linked_columns

from ..models import RelativesMeasurement, Release
from ..selectors import current_release
from .outside.models import OutsideRelease

MOST_RELATIVES = 12
"""So many relatives are measured, the youngest; the page says where there are more."""
EVERY_SET = 5
"""Up to so many relatives every set of them is measured with the result; of more, each one, all together, and what each recipient
holds."""
SAME_COLUMNS, LEAST_COLUMNS = 0.5, 2
"""Files are taken for versions of each other where they share this share of the columns of the one that has fewer, and so many."""
KEYED = frozenset(spec.key for spec in catalogue.techniques() if spec.makes_pseudonyms)
"""Techniques by whose values the rows of two files can be joined."""
_PURPOSE = "purpose"
Column = tuple[str, str]
"""The names of a table and of one of its columns."""
Pseudonyms = dict[str, set[tuple[str, ...]]]


@dataclass(frozen=True)
class Relative:
    """A release beside a result: by which of its tables (own name → name there) it has the ``same_source``, ``versions`` of a
    table, and its columns that have pseudonyms under the ``same_key`` as some there. ``keyed`` has of each of these the columns there,
    of another file, that have them, and ``beside`` those of the same file."""

    release_id: uuid.UUID
    project_id: uuid.UUID
    same_source: Mapping[str, str]
    versions: Mapping[str, str]
    same_key: tuple[str, ...] = ()
    keyed: Mapping[Column, tuple[Column, ...]] = field(default_factory=dict)
    beside: Mapping[Column, tuple[Column, ...]] = field(default_factory=dict)


class Relatives(list[Relative]):
    """The relatives of a result, the youngest first. ``was_measured``: whether any of the results that were asked about was, with
    whichever relatives or by itself; ``is_measured``: whether one of them is being measured; ``own``: what the tables of
    these results are compared by."""

    def __init__(
        self,
        found: Iterable[Relative] = (),
        *,
        was_measured: bool = False,
        is_measured: bool = False,
        own: Sequence[Trace] = (),
    ) -> None:
        super().__init__(found)
        self.was_measured, self.is_measured, self.own = was_measured, is_measured, own


def run_shown(project: Project) -> Run | None:
    """The run that is worked on or signed; once the project has left verification, the one that was released, if any."""
    release = current_release(project) if project.stage == Stage.RELEASE else None
    if release is None:
        return latest_run(project)
    return Run.objects.select_related("project", "recipe_version").get(pk=release.run_id)


@cached_read
def relatives_of(run: Run | None) -> Relatives:
    """The relatives of the result of ``run``, the youngest first; an ended release is one too, for what was fetched stays."""
    return Relatives() if run is None else relatives_by_run([run])[run.pk]


def relatives_by_run(runs: Sequence[Run], *, sparing: bool = False) -> dict[uuid.UUID, Relatives]:
    """:func:`relatives_of` each of ``runs``, with one statement for any number of them and of releases.

    ``sparing``: two statements more say first which of thousands of releases can be near, so that the others are not read whole.
    """
    wanted = {run.pk for run in runs}
    if not wanted:
        return {}
    whole = None if sparing else _rows_beside(wanted)
    traces = _traces_of(wanted) if whole is None else [_trace_of(table) for table in whole]
    own = [one for one in traces if one.run in wanted]
    said: dict[str, Any] = {
        "was_measured": any(one.was_measured for one in traces),
        "is_measured": any(one.is_measured for one in traces),
        "own": own,
    }
    comparison = _Comparison(own)
    if whole is None:
        among = comparison.near_among(_released().exclude(run__in=wanted)) if own else set()
        rows = _rows_beside(wanted, among) if among or len(wanted) > 1 else []
    else:
        among = wanted | {one.run for one in traces if comparison.is_near(one)}
        rows = [table for table in whole if table.run_id in among]
    by_run: dict[uuid.UUID, list[Any]] = {}
    for table in rows:
        table.run.recipe_version.content = json.loads(table.written)
        by_run.setdefault(table.run_id, []).append(table)
    every = [table for of_run in by_run.values() for table in of_run]
    keys = {table.pk: pseudonyms_of(table) for table in every}
    runs_by_mark: dict[tuple[str, ...], set[uuid.UUID]] = {}
    for table in every:
        for mark in _marks(table, keys):
            runs_by_mark.setdefault(mark, set()).add(table.run_id)
    found: dict[uuid.UUID, Relatives] = {}
    for run in runs:
        tables = by_run.get(run.pk, [])
        near: set[uuid.UUID] = set().union(
            *(runs_by_mark[one] for table in tables for one in _marks(table, keys))
        )
        others = (
            _relative(tables, one, keys)
            for pk, one in by_run.items()
            if pk in near and pk != run.pk and one[0].released is not None
        )
        found[run.pk] = Relatives((one for one in others if one is not None), **said)
    return found


class Trace(NamedTuple):
    """What says whether the table of a run can have to do with that of another; ``was_measured`` and ``is_measured`` as of
    :class:`Relatives`, the same in all. Of what is asked about there are the ``names`` of the columns that were written, the hash of the
    ``result``, the ``source`` as its target calls it, and all entries of releases made ``outside`` the portal."""

    run: uuid.UUID
    file: str
    key: uuid.UUID
    columns: list[str]
    recipe: str
    was_measured: bool
    is_measured: bool
    names: list[str] | None
    result: str
    source: str | None
    outside: list[dict[str, Any]] | None


def _written() -> Cast:
    """A recipe as text: to understand each of thousands takes longer than all else."""
    return Cast("run__recipe_version__content", TextField())


_ENTRIES = (
    OutsideRelease.objects.filter(withdrawn_at=None)
    .order_by()
    .values("withdrawn_at")
    .annotate(
        listed=Listed(
            JSONObject(
                **{
                    name: name
                    for name in (
                        "pk", "number", "name", "source", "released_on", "sharing_type", "recipients", "subject_columns", "columns",
                        "valid_until", "sha256",
                    )
                }
            )
        )
    )
    .values("listed")
)  # fmt: skip


def _of(wanted: set[uuid.UUID], read: Any) -> Case:
    """For the runs ``wanted`` alone: of thousands of others it is of no use."""
    return Case(When(run__in=wanted, then=read), default=None, output_field=JSONField())


def _annotated(wanted: set[uuid.UUID]) -> Any:
    """Tables of runs, with what a trace holds beside their own fields."""
    measured = RelativesMeasurement.objects.filter(run__in=wanted)
    return RunTable.objects.annotate(
        written=_written(),
        was_measured=Exists(measured.exclude(measured_at=None)),
        is_measured=Exists(measured.filter(ended_at=None)),
        names=_of(wanted, F("report__columns_out")),
        source=_of(wanted, F("run__project__objective__scope__source")),
        outside=_of(wanted, Subquery(_ENTRIES)),
    )


def _trace_of(table: Any) -> Trace:
    dataset, run = table.dataset, table.run
    said = (
        table.was_measured,
        table.is_measured,
        table.names,
        table.result_sha256,
        table.source,
        table.outside,
    )
    return Trace(run.pk, dataset.sha256, run.key_id, dataset.columns, table.written, *said)


def _traces_of(wanted: set[uuid.UUID]) -> list[Trace]:
    rows = _annotated(wanted).filter(run__in=wanted).order_by()
    found = rows.values_list(
        "run_id",
        "dataset__sha256",
        "run__key_id",
        "dataset__columns",
        "written",
        "was_measured",
        "is_measured",
        "names",
        "result_sha256",
        "source",
        "outside",
    )
    return [Trace(*row) for row in found]


def _released() -> QuerySet[RunTable]:
    return RunTable.objects.filter(run__in=Release.objects.order_by().values("run_id")).order_by()


def _rows_beside(wanted: set[uuid.UUID], among: set[uuid.UUID] | None = None) -> list[Any]:
    """The tables of the runs ``wanted`` and of those that are released, ``among`` these runs, if any are named."""
    of_run = Release.objects.filter(run_id=OuterRef("run_id")).order_by("-released_at")
    others = Q(released__isnull=False) & (Q() if among is None else Q(run__in=among))
    tables = (
        _annotated(wanted)
        .annotate(
            released=Subquery(of_run.values("pk")[:1]), released_at=Subquery(of_run.values("released_at")[:1])
        )
        .filter(Q(run__in=wanted) | others)
    )
    rows = tables.select_related("dataset", "run__recipe_version").order_by(
        F("released_at").desc(nulls_last=True)
    )
    return list(rows.defer("report", "notice", "dataset__profile", "run__recipe_version__content"))


class _Comparison:
    """Which runs can have to do with those that ``own`` are of: they have a file or a key in common, or as many columns as versions
    of a table must have, or both may make pseudonyms for a purpose, which are the same wherever the purpose is."""

    def __init__(self, own: Sequence[Trace]) -> None:
        self._files, self._keys = {one.file for one in own}, {one.key for one in own}
        # A column may be called so, too.
        self._has_purpose = any(_PURPOSE in one.recipe for one in own)
        self._by_column: dict[str, list[int]] = {}
        for place, one in enumerate(own):
            for column in {*one.columns}:
                self._by_column.setdefault(column, []).append(place)

    def is_near(self, one: Trace) -> bool:
        return (
            one.file in self._files
            or one.key in self._keys
            or (self._has_purpose and _PURPOSE in one.recipe)
            or self._shares(one.columns)
        )

    def near_among(self, tables: QuerySet[RunTable]) -> set[uuid.UUID]:
        """The runs of ``tables`` that are near. The database compares what it can, and of the others only the columns are read."""
        near = Q(dataset__sha256__in=self._files) | Q(run__key_id__in=self._keys)
        if self._has_purpose:
            tables = tables.annotate(written=_written())
            near |= Q(written__contains=_PURPOSE)
        others = tables.values_list(
            "run_id", "dataset__columns", Case(When(near, then=Value(1)), default=Value(0))
        )
        return {run for run, columns, is_near in others if is_near or self._shares(columns)}

    def _shares(self, columns: Iterable[str]) -> bool:
        common = Counter(
            place for one in {*columns} & self._by_column.keys() for place in self._by_column[one]
        )
        return max(common.values(), default=0) >= LEAST_COLUMNS


def _marks(table: RunTable, keys: Mapping[int, Pseudonyms]) -> set[tuple[str, ...]]:
    """Two runs are no relatives where no table of the one has a mark of a table of the other: a file, a column or a key in common."""
    named = {("column", str(one)) for one in table.dataset.columns}
    return (
        {("file", table.dataset.sha256)}
        | named
        | {("key", *one) for rests_on in keys[table.pk].values() for one in rests_on}
    )


def _relative(
    own: Sequence[RunTable], others: Sequence[Any], keys: Mapping[int, Pseudonyms]
) -> Relative | None:
    same, versions, columns = {}, {}, set()
    keyed: dict[Column, tuple[Column, ...]] = {}
    beside: dict[Column, tuple[Column, ...]] = {}
    for table in own:
        for other in others:
            if table.dataset.sha256 == other.dataset.sha256:
                same[table.name] = other.name
            elif share_of(table.dataset.columns, other.dataset.columns) >= SAME_COLUMNS:
                versions[table.name] = other.name
            for column, rests_on in keys[table.pk].items():
                common = sorted(one for one, theirs in keys[other.pk].items() if rests_on & theirs)
                columns.update([column] if common else [])
                if common:
                    # Rows of one file are linked by what both releases have unchanged, pseudonyms too.
                    of = beside if table.dataset.sha256 == other.dataset.sha256 else keyed
                    found = of.get((table.name, column), ())
                    of[table.name, column] = (*found, *((other.name, one) for one in common))
    if not (same or versions or columns):
        return None
    release, project = others[0].released, others[0].run.project_id
    return Relative(release, project, same, versions, tuple(sorted(columns)), keyed, beside)


def share_of(columns: Sequence[str], others: Sequence[str]) -> float:
    """The share of the columns of the one that has fewer which the other has too; 0 where they are too few to say anything."""
    common = len({*columns} & {*others})
    return common / min(len(columns), len(others)) if common >= LEAST_COLUMNS else 0.0


def pseudonyms_of(table: RunTable) -> Pseudonyms:
    """Column → what its pseudonyms rest on: equal values get equal ones where two columns have one of these in common."""
    run, version = table.run, table.run.recipe_version
    steps = [
        one for one in version.tables.get(table.name, {}).get("steps", ()) if str(one["technique"]) in KEYED
    ]
    if not steps:
        return {}
    domains = {
        place: ".".join(group[0])
        for group in linked_columns((tuple(one["from"]), tuple(one["to"])) for one in version.references)
        for place in group
    }
    found: Pseudonyms = {}
    for one in steps:
        given, technique = one.get("parameters", {}), str(one["technique"])
        match given.get("joinable", "run"):
            case "purpose":
                key: tuple[str, ...] = ("purpose", str(given.get("purpose", "")))
            case "project":
                key = ("project", str(run.key_id))
            case "run":
                # A run that draws with the seed of another has its pseudonyms, too.
                key = ("run", str(run.key_id), str(run.seed_id))
            case _:
                continue
        for column in one.get("columns", ()):
            domain = given.get("domain") or domains.get((table.name, column), column)
            found.setdefault(column, set()).add((technique, *key, domain))
    return found


def holders_of(relatives: Iterable[Relative], run: Run) -> dict[Any, list[str]]:
    """Recipients of the run's project, now or at the release, who hold relatives too: person → ids of these releases."""
    projects = {one.project_id for one in relatives}
    rows = Membership.objects.filter(
        role=Role.RECIPIENT, project__in=[*projects, run.project_id]
    ).select_related("user")
    by_person: dict[Any, set[uuid.UUID]] = {}
    people = {}
    for row in rows:
        people[row.user_id] = row.user
        by_person.setdefault(row.user_id, set()).add(row.project_id)
    return {
        people[pk]: held
        for pk, theirs in by_person.items()
        if run.project_id in theirs
        and (held := [str(one.release_id) for one in relatives if one.project_id in theirs])
    }


def sets_of(run: Run, relatives: Sequence[Relative]) -> list[dict[str, Any]]:
    """What is measured: of each table the result with relatives of the same file, each pair with another version of it, and by each
    column of pseudonyms under the same key each pair, what a recipient holds, and all; and each table by itself, whose rows hang
    together."""
    measured = list(relatives)[:MOST_RELATIVES]
    names = list(dict.fromkeys(name for one in measured for name in (*one.same_source, *one.versions)))
    held = [set(ids) for ids in holders_of(measured, run).values()]
    found: list[dict[str, Any]] = []
    there = {str(one.release_id): {**one.versions, **one.same_source} for one in measured}
    for table in names:
        same = [str(one.release_id) for one in measured if table in one.same_source]
        for group in measured_groups(same, held):
            found.append(_set("composition", table, group, there))
        found += [
            _set("versions", table, [str(one.release_id)], there) for one in measured if table in one.versions
        ]
    return found + _keyed_sets(measured, held) + [_set("linked", name, [], {}) for name in _tables_of(run)]


def has_courses(run: Run) -> bool:
    """Whether persons have several rows in a table of the result, so that these tell more in their order."""
    return any(table.subjects_id is not None for table in tables_of_run(run).values())


def _tables_of(run: Run) -> list[str]:
    return list(tables_of_run(run))


def measured_groups(releases: Sequence[str], held: Sequence[set[str]]) -> list[tuple[str, ...]]:
    """The sets of ``releases`` that are measured with the result, each once; ``held`` is what each recipient has."""
    most = len(releases) if len(releases) <= EVERY_SET else 1
    groups = [one for size in range(1, most + 1) for one in combinations(releases, size)]
    groups += [tuple(one for one in releases if one in theirs) for theirs in held]
    groups.append(tuple(releases))
    return [one for one in dict.fromkeys(groups) if one]


def sets_left_out(sets: Sequence[Mapping[str, Any]]) -> int:
    """How many sets of releases of one file, or under one key, stand in none of these ``sets`` that were measured."""
    found: dict[tuple[str, str, str], set[frozenset[str]]] = {}
    for one in sets:
        if one["kind"] in ("composition", "keyed"):
            of = (one["kind"], one["table"], one.get("column", ""))
            found.setdefault(of, set()).add(frozenset(one["releases"]))
    left_out = 0
    for groups in found.values():
        every = {one for group in groups for one in group}
        # Releases of the result's own file stand in no set under a key that has none of another file.
        beside = {one for one in every if frozenset({one}) not in groups}
        left_out += 2 ** len(every) - 2 ** len(beside) - len(groups)
    return left_out


def apart(sets: Sequence[Mapping[str, Any]]) -> set[str]:
    """The releases of the result's own file that stand in no set with one of another file, where these ``sets`` have both."""
    of_kind: dict[str, set[str]] = {}
    for one in sets:
        of_kind.setdefault(one["kind"], set()).update(one["releases"])
    keyed = of_kind.get("keyed", set())
    return of_kind.get("composition", set()) - keyed if keyed else set()


def _keyed_sets(measured: Sequence[Relative], held: Sequence[set[str]]) -> list[dict[str, Any]]:
    """Of a release with several such columns each is joined by itself, and the first of them together with other releases: those of
    other files, and with these the ones of the result's own file that have the pseudonyms too."""
    found = []
    for own in dict.fromkeys(key for one in measured for key in one.keyed):
        theirs = {str(one.release_id): one.keyed[own] for one in measured if own in one.keyed}
        beside = {str(one.release_id): one.beside[own] for one in measured if own in one.beside}
        every = {**beside, **theirs}
        pairs = [{release: one} for release, columns in theirs.items() for one in columns]
        groups = [*measured_groups(list(theirs), held), *measured_groups(list(every), held)]
        several = [
            {release: every[release][0] for release in group}
            for group in dict.fromkeys(groups)
            if len(group) > 1 and not theirs.keys().isdisjoint(group)
        ]
        for joined in pairs + several:
            there = {release: {own[0]: table} for release, (table, _column) in joined.items()}
            columns = {release: column for release, (_table, column) in joined.items()}
            found.append(_set("keyed", own[0], [*joined], there) | {"column": own[1], "columns": columns})
    return found


def _set(
    kind: str, table: str, releases: Sequence[str], there: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """``tables``: release → the name that its table has there."""
    return {
        "kind": kind,
        "table": table,
        "releases": list(releases),
        "tables": {one: there[one][table] for one in releases},
    }


def measurements_of(project: Project) -> QuerySet[RelativesMeasurement]:
    return RelativesMeasurement.objects.filter(project=project).select_related("project", "requested_by")


def is_about(measurement: RelativesMeasurement, run: Run, relatives: Sequence[Relative]) -> bool:
    """Whether the measurement is of this result with exactly these relatives."""
    now = sorted(str(one.release_id) for one in relatives)
    return measurement.run_id == run.pk and sorted(measurement.relatives) == now


def is_under_way(project: Project) -> bool:
    return RelativesMeasurement.objects.filter(project=project, ended_at=None).exists()


def measured_now(project: Project, run: Run, relatives: Relatives) -> RelativesMeasurement | None:
    """The newest finished measurement of this result with exactly these relatives."""
    if not relatives.was_measured:
        return None
    return next((one for one in _measurements_made(project, run) if is_about(one, run, relatives)), None)


@cached_read
def _measurements_made(project: Project, run: Run) -> list[RelativesMeasurement]:
    """Finished ones of this result, the newest first."""
    return list(measurements_of(project).filter(run=run).exclude(measured_at=None))


def names_for(user: Person, releases: Iterable[Release]) -> tuple[dict[str, str], frozenset[str]]:
    """Id of a release → what ``user`` may be told of it: file and project, or that it is another project's; and the ids that
    they may know."""
    found = list(releases)
    projects = {one.project_id for one in found}
    seen = set(visible_projects(user).filter(pk__in=projects).values_list("pk", flat=True))
    names, hidden = {}, 0
    for one in found:
        if one.project_id in seen:
            names[str(one.pk)] = f"{one} · {one.project.number}"
        else:
            hidden += 1
            text = _("Release %(number)s of a project that you may not see")
            names[str(one.pk)] = text % {"number": hidden}
    return names, frozenset(str(one.pk) for one in found if one.project_id in seen)
