"""Running a recipe over the tables of a project as one job: their items one after the other, then a check of the links.

The tables' results lie in workspaces of their own and are taken over together, when the job ends.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.registry import ItemSpec, Tick
from techniques.core.messages import gettext_noop

from ..models import Run
from . import mapping_tables as mappings
from . import shares
from .cluster import Connection
from .selectors import tables_of_run
from .services import Written, run_succeed

if TYPE_CHECKING:
    from techniques.core.secrets import Secrets
    from techniques.engines.joint import JointRun

_JOINS, SHARE, _ON_CLUSTER = "joins", "share", "on the cluster"
_MAPPINGS = gettext_noop("Put the mapping tables into the vault")
_SHARE = gettext_noop("Make the file of holder %(number)d")
_TITLES = {
    "ingest": gettext_noop("Table “%(table)s”: read the source"),
    "tally": gettext_noop("Table “%(table)s”, step %(number)d, %(technique)s: count"),
    "fit": gettext_noop("Table “%(table)s”, step %(number)d, %(technique)s: work out"),
    "transform": gettext_noop("Table “%(table)s”: treat part %(number)d of %(parts)d"),
    "assemble": gettext_noop("Table “%(table)s”: write the result"),
    mappings.MAPPINGS_ITEM: gettext_noop("Table “%(table)s”: put the mapping tables into the vault"),
    _ON_CLUSTER: gettext_noop(
        "Table “%(table)s”: treat parts %(number)d to %(last)d of %(parts)d on the cluster"
    ),
    SHARE: gettext_noop("Table “%(table)s”: make the file of holder %(number)d"),
}


def workspace_of(run: Run, place: str = "") -> EncryptedWorkspace:
    """Where what the run makes for all its tables lies, or with a ``place`` the parts of one of them."""
    return EncryptedWorkspace(f"run:{run.pk}{place}")


def workspaces(run: Run) -> dict[str, EncryptedWorkspace]:
    """Table name → workspace."""
    return {
        name: workspace_of(run, f":{one.table_id}" if place else "")
        for place, (name, one) in enumerate(tables_of_run(run).items())
    }


def engine_of(run: Run, secrets: Secrets, connection: Connection) -> JointRun:
    """The engine's view of the run: all tables under one key, on the cluster that the run names, if it does."""
    from techniques.engines.joint import JointRun, Table
    from techniques.engines.local import LocalRun, Source

    def source(dataset: Dataset) -> Source:
        assert dataset.rows is not None  # a run starts on checked data sets only
        opened: partial[BinaryIO] = partial(dataset_open, dataset)
        return Source(opened, dataset_format(dataset), dataset.rows, dataset.size)

    places = workspaces(run)
    tables = {name: Table(source(one.dataset), places[name]) for name, one in tables_of_run(run).items()}
    if not run.cluster:
        return JointRun(run.recipe_version.as_set(), tables, secrets)
    from techniques.engines.spark.stored import StoredRun

    def made(*arguments: Any) -> LocalRun:
        return StoredRun(*arguments, connected=connection, view=EncryptedWorkspace.shared)

    return JointRun(run.recipe_version.as_set(), tables, secrets, made=made)


def run_items(engine: JointRun) -> list[ItemSpec]:
    """The items of every table, and at the end the look at the links."""
    items = []
    for number, (name, run) in enumerate(engine.runs.items()):
        of_table = [ItemSpec(item.key, item.title, item.weight, item.params) for item in run.items()]
        if run.recipe.assigned_columns():
            weight = max(run.source.rows, 1) * mappings.MAPPINGS_WEIGHT
            of_table.append(ItemSpec(mappings.MAPPINGS_ITEM, _MAPPINGS, weight))
        plan = shares.share_plan(run.recipe)
        for holder in plan.others if plan else ():
            weight = sum(item.weight for item in run.items())
            of_table.append(ItemSpec(f"{SHARE}:{holder}", _SHARE, weight, {"number": holder}))
        items += [_of_table(item, number, name) for item in of_table]
    if engine.recipes.references:
        weight = sum(table.source.rows for table in engine.tables.values())
        items.append(ItemSpec(_JOINS, gettext_noop("Count what joins, before and after"), max(weight, 1.0)))
    return items


def _of_table(item: ItemSpec, number: int, name: str) -> ItemSpec:
    """An item with the number and name of its table; a table without a name needs neither."""
    if not name:
        return item
    title = _TITLES[_ON_CLUSTER if "last" in item.params else item.key.partition(":")[0]]
    return ItemSpec(f"{number}/{item.key}", title, item.weight, {**item.params, "table": name})


def run_item(run: Run, engine: JointRun, key: str, tick: Tick) -> str:
    """Do one item; it may be repeated at any time."""
    if key == _JOINS:
        tick(0.0)
        content = json.dumps(engine.joins(tick)).encode()
        with workspace_of(run).open_write(_JOINS) as stream:
            stream.write(content)
        return ""
    number, _slash, inner = key.rpartition("/")
    name, one = list(engine.runs.items())[int(number or 0)]
    if inner == mappings.MAPPINGS_ITEM:
        mappings.mappings_write(run, one, tick, name)
        return ""
    if inner.startswith(f"{SHARE}:"):
        return shares.share_write(run, one, name, int(inner.partition(":")[2]), tick)
    one.execute(inner, tick)
    return str(one.report()["result_sha256"]) if inner == "assemble" else ""


def run_finish(run: Run, engine: JointRun) -> None:
    """Take over all results at once; in the transaction that ends the job."""
    from techniques.engines.local import RESULT_SUBJECTS

    places, joins = workspaces(run), []
    if engine.recipes.references:
        with workspace_of(run).open_read(_JOINS) as stream:
            joins = json.loads(stream.read())
    written = {
        name: Written(
            places[name].adopt(one.result_name),
            places[name].adopt(RESULT_SUBJECTS, "subjects") if one.recipe.subject else None,
            one.format.model_dump(mode="json"),
            one.report(),
        )
        for name, one in engine.runs.items()
    }
    run_succeed(run, written=written, joins=joins)
    for name, one in engine.runs.items():
        mappings.mappings_keep(run, one.recipe, places[name], name)
        shares.share_files_keep(run, one, name, written[name].result)
    # The parts hold raw data.
    for workspace in places.values():
        workspace.clear()
