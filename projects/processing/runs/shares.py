"""Secret sharing (GB/T 37964 A.2.6): one result file for each holder, alike in all but the shares.

The recipe names one holder; its run's result is that holder's file and the one that is verified. The files of the
other holders come from the same recipe, keys and source with the holder exchanged, and are compared with the
verified one: outside of the shared columns they may not differ in a single cell.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from approvals.audit.recording import recording
from approvals.request_cache import cached_read
from projects.datasets.models import StoredFile
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.registry import Tick
from techniques.core.messages import EngineError, gettext_noop

from .. import events
from ..models import Run, ShareFile

if TYPE_CHECKING:
    from techniques.engines.local import LocalRun
    from techniques.recipe.recipe import Recipe

TECHNIQUE = "encryption.secret_sharing"


@dataclass(frozen=True)
class SharePlan:
    """Who holds what: ``holder`` of ``holders`` gets the run's own result, ``threshold`` of them can combine."""

    holders: int
    threshold: int
    holder: int
    columns: tuple[str, ...]

    @property
    def others(self) -> list[int]:
        return [number for number in range(1, self.holders + 1) if number != self.holder]


def share_plan(recipe: Recipe) -> SharePlan | None:
    """The plan of a recipe, None where it shares nothing."""
    steps = [step for step in recipe.steps if step.technique == TECHNIQUE]
    columns = tuple(column for step in steps for column in step.columns)
    return SharePlan(*_holders(recipe).pop(), columns) if steps else None


def shares_check(recipes: Iterable[Recipe]) -> None:
    """EngineError ``shares_differ`` unless the columns of all tables are shared by the same holders."""
    if len({holders for recipe in recipes for holders in _holders(recipe)}) > 1:
        text = gettext_noop(
            "All columns of secret shares need the same holders: give each step the same numbers."
        )
        raise EngineError("shares_differ", text)


def _holders(recipe: Recipe) -> set[tuple[int, int, int]]:
    """How many holders each step names, how many of them can combine, and whose shares the run writes."""
    given = (step.parameters.model_dump() for step in recipe.steps if step.technique == TECHNIQUE)
    return {(one["holders"], one["threshold"], one["holder"]) for one in given}


@cached_read
def share_files_of(run_id: Any) -> list[ShareFile]:
    """The files of the holders, by their numbers, each holder's by table; none where the run shares nothing."""
    found = ShareFile.objects.filter(run=run_id).select_related("stored")
    # The hash that is sealed goes by this order, and each database sorts names by rules of its own.
    return sorted(found, key=lambda share: (share.number, share.table))


def share_numbers_of(run_id: Any) -> list[int]:
    """Whose shares a run wrote; none where it shares nothing."""
    return sorted({share.number for share in share_files_of(run_id)})


def shares_are_sound(run_id: Any) -> bool:
    """Whether every holder's stored file is, by its row, the one that was made for them."""
    return all(share.stored.sha256 == share.sha256 for share in share_files_of(run_id))


def share_write(run: Run, engine: LocalRun, table: str, number: int, tick: Tick) -> str:
    """Make the file of a table for holder ``number`` and compare it with the run's own; its SHA-256."""
    from techniques.engines.local import LocalRun

    plan = share_plan(engine.recipe)
    assert plan is not None
    workspace = share_workspace(run, table, number)
    theirs = LocalRun(_for_holder(engine.recipe, number), engine.source, workspace, engine.secrets)
    report = theirs.execute_all(lambda share: tick(0.9 * share), resume=True)
    with (
        engine.workspace.open_read(engine.result_name) as own,
        workspace.open_read(theirs.result_name) as other,
    ):
        _compare(own, other, theirs, plan.columns, tick)
    return str(report["result_sha256"])


def share_files_keep(run: Run, engine: LocalRun, table: str, result: StoredFile) -> list[ShareFile]:
    """Record every holder's file of a table; called in the transaction that ends the run's job."""
    plan = share_plan(engine.recipe)
    kept: list[ShareFile] = []
    if plan is None:
        return kept
    facts: dict[str, Any] = {"holders": plan.holders, "threshold": plan.threshold}
    if table:
        facts["table"] = table
    with recording(events.SHARES_KEPT, by=None, about=run, **facts) as event:
        for number in range(1, plan.holders + 1):
            stored = result
            if number != plan.holder:
                workspace = share_workspace(run, table, number)
                stored = workspace.adopt(engine.result_name, purpose="share")
                workspace.clear()
            kept.append(
                ShareFile.objects.create(
                    project=run.project,
                    run=run,
                    table=table,
                    number=number,
                    stored=stored,
                    sha256=stored.sha256,
                )
            )
            event.facts[f"share_{number}"] = stored.sha256
    return kept


def shares_clean(run: Run) -> None:
    """Remove what was made for holders of a run that came to nothing."""
    from techniques.recipe.recipe import Recipe

    for table, recipe in run.recipe_version.tables.items():
        plan = share_plan(Recipe.from_data(recipe))
        for number in plan.others if plan else ():
            share_workspace(run, table, number).clear()


def share_workspace(run: Run, table: str, number: int) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"run:{run.pk}:share:{number}:{table}".rstrip(":"))


def _for_holder(recipe: Recipe, number: int) -> Recipe:
    content = copy.deepcopy(recipe.model_dump(mode="json"))
    for step in content["steps"]:
        if step["technique"] == TECHNIQUE:
            step["parameters"]["holder"] = number
    return type(recipe).from_data(content)


def _compare(own: BinaryIO, other: BinaryIO, theirs: LocalRun, shared: tuple[str, ...], tick: Tick) -> None:
    """EngineError ``shares_do_not_fit`` unless the tables differ in the shared columns alone."""
    from techniques.tables import open_table

    with open_table(own, theirs.format) as left, open_table(other, theirs.format) as right:
        same = list(left.columns) == list(right.columns)
        kept = [column for column in left.columns if column not in shared]
        if same:
            same = _same_rows(_selected(left.batches(), kept), _selected(right.batches(), kept), tick)
    if not same:
        text = gettext_noop("The files of the holders do not fit together. Run the recipe again.")
        raise EngineError("shares_do_not_fit", text)


def _selected(batches: Iterator[Any], columns: list[str]) -> Iterator[Any]:
    return (batch.select(columns) for batch in batches if batch.num_rows)


def _same_rows(left: Iterator[Any], right: Iterator[Any], tick: Tick) -> bool:
    """Whether two tables are equal, wherever each of them is cut into batches."""
    one, two = next(left, None), next(right, None)
    while one is not None and two is not None:
        tick(0.95)
        rows = min(one.num_rows, two.num_rows)
        if not one.slice(0, rows).equals(two.slice(0, rows)):
            return False
        one = one.slice(rows) if one.num_rows > rows else next(left, None)
        two = two.slice(rows) if two.num_rows > rows else next(right, None)
    return one is None and two is None
