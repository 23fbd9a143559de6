"""A run of a recipe set: one local run for each table, and a look at whether references still join."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.secrets import Secrets
from techniques.engines.local import LocalRun
from techniques.engines.parts import Source, Tick
from techniques.engines.workspace import Workspace
from techniques.recipe.recipe import Order
from techniques.recipe.recipe_set import RecipeSet, Reference, table_secrets
from techniques.tables import open_table
from techniques.tables.formats import Kind
from techniques.tables.joins import column_parts, join_counts


@dataclass(frozen=True)
class Table:
    """One table of a set: where it comes from, and where its intermediate files go."""

    source: Source
    workspace: Workspace
    result_kind: Kind | None = None
    plain: bool = False


class JointRun:
    """All tables of a set under the same key and salt. Making it checks the columns that references name. ``made`` makes the run
    of a table, of the same arguments as :class:`LocalRun`."""

    def __init__(
        self,
        recipes: RecipeSet,
        tables: Mapping[str, Table],
        secrets: Secrets,
        order: Order = "kept",
        made: Callable[..., LocalRun] = LocalRun,
    ) -> None:
        missing = sorted(set(recipes.tables) ^ set(tables))
        if missing:
            raise faults.tables_differ(missing)
        self.recipes = recipes
        self.tables = dict(tables)
        self.runs = {
            name: made(
                recipe,
                tables[name].source,
                tables[name].workspace,
                table_secrets(secrets, name),
                tables[name].result_kind,
                order,
                tables[name].plain,
            )
            for name, recipe in recipes.tables.items()
        }
        self._check_references()

    def execute_all(
        self, tick: Tick = lambda share: None, *, resume: bool = False, processes: int = 1
    ) -> dict[str, Any]:
        """Every table, each by so many ``processes``, then the references; returns the report. EngineError ``reference_orphans``."""
        rows = {name: max(table.source.rows, 1) for name, table in self.tables.items()}
        reports, done, whole = {}, 0, sum(rows.values())
        for name, run in self.runs.items():
            part = _part(tick, done / whole, rows[name] / whole)
            reports[name] = run.execute_all(part, resume=resume, processes=processes)
            done += rows[name]
        return {
            "report": 1,
            "recipe_sha256": self.recipes.content_hash(),
            "tables": reports,
            "references": self.joins(),
        }

    def joins(self, tick: Tick = lambda share: None) -> list[dict[str, Any]]:
        """What joins, before and after, once every table is written; EngineError ``reference_orphans``."""
        found = []
        for number, reference in enumerate(self.recipes.references):
            found.append(self._joined(number, reference))
            tick((number + 1) / len(self.recipes.references))
        return found

    def _check_references(self) -> None:
        headers = {}
        linked = {name for r in self.recipes.references for name, _column in (r.source, r.target)}
        for name, table in self.tables.items():
            if name not in linked:
                continue
            with table.source.open() as stream, open_table(stream, table.source.format) as reader:
                headers[name] = list(reader.columns)
        for number, reference in enumerate(self.recipes.references):
            for end, (name, column) in (("from", reference.source), ("to", reference.target)):
                if column not in headers[name]:
                    text = _("%(path)s: the file has no column called %(columns)s.")
                    raise EngineError(
                        "columns_missing", text, path=f"references[{number}].{end}", columns=column
                    )

    def _joined(self, number: int, reference: Reference) -> dict[str, Any]:
        """Rows with a key, and how many of them have no counterpart, before and after."""
        before = self._counted(reference, self._sources)
        after = self._counted(reference, self._results)
        removed = after[1] - before[1]
        if removed > 0 and reference.orphans == "error":
            text = _("%(path)s: %(rows)d rows would be left without their counterpart, whose row is removed.")
            raise EngineError("reference_orphans", text, path=f"references[{number}]", rows=removed)
        return {
            "from": reference.source,
            "to": reference.target,
            "rows_before": before[0],
            "orphans_before": before[1],
            "rows_after": after[0],
            "orphans_after": after[1],
        }

    def _counted(self, reference: Reference, cells: Callable[[str, str], Iterator[Any]]) -> tuple[int, int]:
        found = join_counts(cells(*reference.source), cells(*reference.target))
        return found.rows, found.orphans

    def _sources(self, name: str, column: str) -> Iterator[Any]:
        source = self.tables[name].source
        with source.open() as stream:
            yield from column_parts(stream, source.format, column)

    def _results(self, name: str, column: str) -> Iterator[Any]:
        run = self.runs[name]
        with run.workspace.open_read(run.result_name) as stream:
            yield from column_parts(stream, run.format, column)


def _part(tick: Tick, before: float, share: float) -> Tick:
    return lambda done: tick(before + share * done)
