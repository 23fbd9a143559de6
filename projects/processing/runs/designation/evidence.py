"""What a run itself tells about its result: what leads back from it, and whether its rows are groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from approvals.request_cache import cached_read
from projects.core.enums import SharingType
from projects.datasets.tables.names import column_label
from projects.vault.models import Secret
from projects.vault.purposes import SHARED
from techniques.catalogue.generalization import MappingSettings
from techniques.catalogue.statistical import AggregationSettings
from techniques.catalogue.technique import WayBack

from ...models import MappingTable, Run
from ..findings import AGGREGATION
from ..selectors import tables_of_run
from .rule import SMALLEST_GROUP, Evidence

if TYPE_CHECKING:
    from techniques.recipe.recipe import Recipe, Step
    from techniques.recipe.records import Records

Report = Mapping[str, Any]
_OF_ALL = frozenset({"sum", "mean", "count"})
"""Statistics to which every value of a group adds; any other one is the value of somebody in it."""


def evidence_of_run(run: Run) -> Evidence:
    """What is known of the result of ``run`` before anybody measured it."""
    recipes = run.recipe_version.as_set().tables
    written = tables_of_run(run)
    leads: dict[str, dict[str, None]] = {"keys": {}, "listed": {}, "shares": {}, "drawn": {}, "linkable": {}}
    for name, recipe in recipes.items():
        out = set(written[name].report.get("columns_out", ()))
        for step in recipe.steps:
            columns = [column_label(name, one) for one in step.columns if one in out]
            for lead in _leads(step, run, recipe.records):
                leads[lead] |= dict.fromkeys(columns)
    assigned = any(recipe.assigned_columns() for recipe in recipes.values())
    return replace(
        evidence_of_groups(recipes, {name: one.report for name, one in written.items()}),
        keys=tuple(leads["keys"]),
        listed=tuple(leads["listed"]),
        shares=tuple(leads["shares"]),
        drawn=tuple(leads["drawn"]),
        linkable=tuple(leads["linkable"]),
        mappings=_mapped(run) if assigned else (),
        public=run.project.sharing_type == SharingType.PUBLIC or not run.project.sharing_type,
    )


def evidence_of_groups(recipes: Mapping[str, Recipe], reports: Mapping[str, Report]) -> Evidence:
    """What the recipe and the report of each table tell of the groups whose figures its rows are."""
    sizes = [_smallest_group(one) for one in reports.values()]
    figures = _figures(recipes, reports)
    return Evidence(
        smallest_group=None if None in sizes else min(size for size in sizes if size is not None),
        extremes=figures["extremes"],
        dominated=figures["dominated"],
        few=figures["few"],
        uncounted=figures["uncounted"],
        persons_known=all(recipe.subject is not None for recipe in recipes.values()),
    )


def _drawn_again(step: Step, run: Run, records: Records | None) -> Iterator[str]:
    """What draws once more what a step drew: the seed of the run, or the key under which records keep it."""
    if records is None or not step.parameters.keeps_draws:
        if run.seed_id in _live(run):
            yield "drawn"
    elif _kept_anywhere(run, records.purpose) if records.purpose else run.key_id in _live(run):
        yield "keys"


def _leads(step: Step, run: Run, records: Records | None) -> Iterator[str]:
    """What leads back from the columns of a step."""
    spec, joinable = step.spec, getattr(step.parameters, "joinable", "")
    live = _live(run)
    if spec.way_back is WayBack.RECOMBINATION:
        yield "shares"
    if spec.needs_key and joinable != "never":
        purpose = getattr(step.parameters, "purpose", "")
        kept = _kept_anywhere(run, purpose) if purpose else run.key_id in live
        # Without the seed that was added, the key of a run alone leads nowhere.
        if kept and (joinable != "run" or run.seed_id in live):
            yield "keys"
    elif spec.random and not step.parameters.without_chance:
        yield from _drawn_again(step, run, records)
    if _leads_back(step.parameters):
        yield "listed"
        yield "linkable"
    if spec.makes_pseudonyms or spec.replaces_by_made_up:
        yield "linkable"


def _leads_back(settings: Any) -> bool:
    """Whether a list in the recipe leads from most of what it makes to the one value that this was made of."""
    if not isinstance(settings, MappingSettings):
        return False
    made = Counter(settings.mapping.values())
    alone = sum(made[new] == 1 and new != old for old, new in settings.mapping.items())
    return 1 < len(settings.mapping) < 2 * alone


def _live(run: Run) -> frozenset[Any]:
    """Of the key and the seed of a run those that were not destroyed."""
    return frozenset(secret.pk for secret in (run.key, run.seed) if not secret.is_destroyed)


@cached_read
def _kept_anywhere(run: Run, purpose: str) -> bool:
    """Whether the key that ``run`` had for a purpose of several projects is live in one of them, whatever became of it here.

    A project takes over the bytes that another one's live key has then; once all are destroyed, the next key is another.
    """
    last = run.started_at
    rows = Secret.objects.filter(purpose=SHARED % purpose).order_by("created_at")
    for created, destroyed in rows.values_list("created_at", "destroyed_at"):
        if created > last:
            return False
        if destroyed is None:
            return True
        last = max(last, destroyed)
    return False


def _mapped(run: Run) -> tuple[str, ...]:
    kept = MappingTable.objects.filter(run=run, key__destroyed_at=None)
    return tuple(column_label(*row) for row in kept.values_list("table", "column"))


def _smallest_group(report: Report) -> int | None:
    """Rows, or persons where these were counted, of the smallest group; None where a row is no group."""
    for step in _aggregations(report):
        counted = step["result"]
        sizes = [size for size, number in counted.get("cell_sizes", ()) if number]
        if sizes and sum(number for _size, number in counted["cell_sizes"]) == report.get("rows_out"):
            return int(min(sizes))
    return None


def _figures(recipes: Mapping[str, Recipe], reports: Mapping[str, Report]) -> dict[str, tuple[str, ...]]:
    """What may be known of one person from the figures of groups that are published → their columns."""
    found: dict[str, dict[str, None]] = {one: {} for one in ("extremes", "dominated", "few", "uncounted")}
    for name, recipe in recipes.items():
        out = set(reports[name].get("columns_out", ()))
        reported = [step["result"].get("figures", {}) for step in _aggregations(reports[name])]
        for step in recipe.steps:
            if not isinstance(step.parameters, AggregationSettings):
                continue
            for column in out & set(step.parameters.statistics):
                counted = [one[column] for one in reported if column in one]
                for flaw in _flaws(counted):
                    found[flaw][column_label(name, column)] = None
    return {flaw: tuple(sorted(columns)) for flaw, columns in found.items()}


def _flaws(counted: list[dict[str, Any]]) -> Iterator[str]:
    """Why figures of one column may tell of one person, by what the run ``counted``. What it did not count may be so."""
    if not counted:
        yield "uncounted"
    for one in counted:
        if one.get("cells") == 0:
            continue
        fewest = one.get("fewest")
        if fewest is None:
            yield "uncounted"
        elif fewest < SMALLEST_GROUP:
            yield "few"
        if one["statistic"] in _OF_ALL:
            if one.get("dominated"):
                yield "dominated"
            elif "dominated" not in one and one["statistic"] != "count":
                yield "uncounted"
        # A value in the middle is somebody's as well; nobody counts whose.
        elif one.get("held_by_few", 1):
            yield "extremes"


def _aggregations(report: Report) -> Iterable[dict[str, Any]]:
    return (
        one for one in report.get("steps", ()) if one.get("technique") == AGGREGATION and one.get("result")
    )
