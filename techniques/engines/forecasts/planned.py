"""What each step of a recipe is going to do to the risk by entropy, before the recipe is run.

Every beginning of the recipe is carried out on the whole table, with a key and draws that nobody keeps: a run of its own draws
otherwise, and its figures differ by as much.
"""

from __future__ import annotations

import secrets as randomness
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from techniques.core.secrets import Secrets
from techniques.core.settings import Frozen
from techniques.disclosure_risk.entropy import Attack, EntropyRisk, entropy_change
from techniques.engines.local import DirectoryWorkspace, LocalRun
from techniques.engines.parts import Source, Tick
from techniques.engines.workspace import Workspace
from techniques.recipe.recipe import Output, Recipe
from techniques.tables import open_table, plain_batches, plain_names
from techniques.tables.subjects import read_subjects


class PlannedRisk(Frozen):
    """The risk once step ``number`` (from 1) and those before it are done; None where no quasi-identifier is left then, or no row
    is a record of the source any more."""

    number: int
    technique: str
    columns: tuple[str, ...]
    risk: EntropyRisk | None


def planned_risks(
    recipe: Recipe,
    source: Source,
    qi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    attack: Attack | None = None,
    tick: Tick = lambda share: None,
) -> list[PlannedRisk]:
    """One entry a step, in their order. Work: a run for each. Raises EngineError as a run does, and as :func:`entropy_change`."""
    found: list[PlannedRisk] = []
    steps = len(recipe.steps)
    for number in range(1, steps + 1):
        with tempfile.TemporaryDirectory(prefix="deid-planned-") as folder:
            place, part = DirectoryWorkspace(Path(folder)), partial(_share, tick, number - 1, steps)
            found.append(
                planned_risk(recipe, number, source, qi, sensitive, workspace=place, attack=attack, tick=part)
            )
        tick(number / steps)
    return found


def planned_risk(
    recipe: Recipe,
    number: int,
    source: Source,
    qi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    workspace: Workspace,
    attack: Attack | None = None,
    tick: Tick = lambda share: None,
) -> PlannedRisk:
    """The entry of step ``number``, from 1. The run leaves raw data in ``workspace``, which the caller empties."""
    steps = recipe.steps[:number]
    risk = None
    if not any(step.ends_records for step in steps):
        risk = _after(recipe, number, source, qi, sensitive, workspace, attack, tick)
    return PlannedRisk(
        number=number, technique=steps[-1].technique, columns=tuple(steps[-1].columns), risk=risk
    )


def _share(tick: Tick, done: int, steps: int, share: float) -> None:
    tick((done + share) / steps)


def _after(
    recipe: Recipe,
    steps: int,
    source: Source,
    qi: Sequence[str],
    sensitive: Sequence[str],
    workspace: Workspace,
    attack: Attack | None,
    tick: Tick,
) -> EntropyRisk | None:
    beginning = recipe.model_copy(
        update={"steps": recipe.steps[:steps], "unlisted": "keep", "order": "kept", "output": Output()}
    )
    keys = randomness.token_bytes(64)
    secrets = Secrets(
        keys[:32], keys[32:], purposes=dict.fromkeys(recipe.purposes(), keys[:32]), once=keys[32:]
    )
    run = LocalRun(beginning, source, workspace, secrets, "csv")
    run.execute_all(lambda share: tick(0.8 * share))
    with source.open() as stream:
        header = list(open_table(stream, source.format).columns)
    with run.workspace.open_read(run.result_name) as stream:
        left = plain_names(list(open_table(stream, run.format).columns), set(header))
    if not set(qi) & set(left):
        return None

    def result() -> Iterator[pa.RecordBatch]:
        with run.workspace.open_read(run.result_name) as stream:
            yield from plain_batches(open_table(stream, run.format).batches(), set(header))

    whose = read_subjects(_batches(source), list(recipe.subject)) if recipe.subject else None
    return entropy_change(
        _batches(source),
        result(),
        qi,
        sensitive,
        left=left,
        attack=attack,
        source_subjects=whose,
        result_subjects=run.subjects(),
    ).result


def _batches(source: Source) -> Iterator[pa.RecordBatch]:
    with source.open() as stream:
        yield from open_table(stream, source.format).batches()
