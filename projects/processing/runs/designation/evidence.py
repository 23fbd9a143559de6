"""What a run itself tells about its result: what leads back from it, and whether its rows are groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from projects.core.enums import SharingType
from projects.datasets.tables.names import column_label
from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO
from techniques.catalogue.technique import WayBack

from ...models import MappingTable, Run, RunTable
from ..findings import AGGREGATION
from ..selectors import tables_of_run
from .rule import Evidence

if TYPE_CHECKING:
    from techniques.recipe.recipe import Step

_EXTREMES = frozenset({"minimum", "maximum"})


def evidence_of_run(run: Run) -> Evidence:
    """What is known of the result of ``run`` before anybody measured it."""
    recipes = run.recipe_version.as_set().tables
    written = tables_of_run(run)
    leads: dict[str, dict[str, None]] = {"keys": {}, "shares": {}, "drawn": {}, "linkable": {}}
    for name, recipe in recipes.items():
        out = set(written[name].report.get("columns_out", ()))
        for step in recipe.steps:
            columns = [column_label(name, one) for one in step.columns if one in out]
            for lead in _leads(step, run):
                leads[lead] |= dict.fromkeys(columns)
    assigned = any(recipe.assigned_columns() for recipe in recipes.values())
    sizes = [_smallest_group(one) for one in written.values()]
    return Evidence(
        keys=tuple(leads["keys"]),
        shares=tuple(leads["shares"]),
        drawn=tuple(leads["drawn"]),
        linkable=tuple(leads["linkable"]),
        mappings=_mapped(run) if assigned else (),
        smallest_group=None if None in sizes else min(size for size in sizes if size is not None),
        extremes=tuple(_extremes(written)),
        persons_known=all(recipe.subject is not None for recipe in recipes.values()),
        public=run.project.sharing_type == SharingType.PUBLIC or not run.project.sharing_type,
    )


def _leads(step: Step, run: Run) -> Iterator[str]:
    """What leads back from the columns of a step."""
    spec, joinable = step.spec, getattr(step.parameters, "joinable", "")
    live = _live(run)
    if spec.way_back is WayBack.RECOMBINATION:
        yield "shares"
    if spec.needs_key and joinable != "never":
        purpose = getattr(step.parameters, "purpose", "")
        # A key that other projects share is theirs as well, whatever became of it here.
        kept = bool(purpose) or run.key_id in live
        # Without the seed that was added, the key of a run alone leads nowhere.
        if kept and (joinable != "run" or run.seed_id in live):
            yield "keys"
    elif spec.random and not step.parameters.without_chance and run.seed_id in live:
        yield "drawn"
    replaced = spec.family is Family.PSEUDONYMISATION or spec.replaces_by_made_up
    encrypted = (
        spec.family is Family.ENCRYPTION and spec.claims is not None and spec.claims.distinctness != NO
    )
    if replaced or encrypted:
        yield "linkable"


def _live(run: Run) -> frozenset[Any]:
    """Of the key and the seed of a run those that were not destroyed."""
    return frozenset(secret.pk for secret in (run.key, run.seed) if not secret.is_destroyed)


def _mapped(run: Run) -> tuple[str, ...]:
    kept = MappingTable.objects.filter(run=run, key__destroyed_at=None)
    return tuple(column_label(*row) for row in kept.values_list("table", "column"))


def _smallest_group(written: RunTable) -> int | None:
    """Rows, or persons where these were counted, of the smallest group; None where a row is no group."""
    for step in _aggregations(written):
        counted = step["result"]
        sizes = [size for size, number in counted.get("cell_sizes", ()) if number]
        if sizes and sum(number for _size, number in counted["cell_sizes"]) == written.report.get("rows_out"):
            return int(min(sizes))
    return None


def _extremes(tables: dict[str, RunTable]) -> Iterator[str]:
    """Columns of which the least or the greatest value of a group is published."""
    parts: dict[str, Any] = {}
    for name, written in tables.items():
        parts = parts or written.run.recipe_version.tables
        for step in parts[name]["steps"]:
            if step["technique"] == AGGREGATION:
                for column, statistic in step["parameters"].get("statistics", {}).items():
                    if statistic in _EXTREMES:
                        yield column_label(name, column)


def _aggregations(written: RunTable) -> Iterable[dict[str, Any]]:
    steps = written.report.get("steps", ())
    return (one for one in steps if one.get("technique") == AGGREGATION and one.get("result"))
