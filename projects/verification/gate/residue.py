"""What of identifiers is left in a written result (GB/T 37964 5.5.2 a), given what the recipe says it made.

Nothing here opens a key.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from projects.jobs.lease import TICK_SECONDS
from projects.jobs.memory import memory_give_back
from techniques.core.messages import EngineError
from techniques.identification.made_up import Hits, dictionaries, dictionary_hits
from techniques.identification.residual import ResidualFinding, ResidualReport, residual_scan
from techniques.identification.survivors import Survival, account_for, format_keepers, survivors
from techniques.identification.traces.direct import traces
from techniques.recipe.recipe import Recipe

from .both import BothFiles
from .case import Table
from .check import TableSubject, Tick


def residue_scan(of: TableSubject, tick: Tick) -> ResidualReport:
    """Scan every row of the result; what blocks only because a format-preserving step made it is proven by the source.

    What the search by form cannot know stands beside it: what the two files show together.
    """
    case = of.case
    source, result, recipe = case.source, case.result, case.recipe
    # What is compared afterwards is searched in the same pass over the files.
    with suppress(EngineError):
        BothFiles.read(case, _each_second(tick))
    memory_give_back()
    found = residual_scan(
        result.batches(coded=True),
        result.columns(),
        case.roles,
        pseudonymised=pseudonym_shapes(recipe),
        treated={column for step in recipe.steps if step.spec.treats for column in step.columns},
        metadata={"file name": case.file_name},
        forms=case.forms,
        total_rows=result.rows,
        tick=lambda rows: tick(0.8 * min(1.0, rows / max(result.rows, 1))),
    )
    keepers = format_keepers(recipe)
    columns = sorted({item.column for item in found.blocking if item.column in keepers})
    memory_give_back()
    if not columns:
        return with_traces(found, of)
    named = {column: one for column, one in dictionaries(recipe).items() if column in columns}
    proven: dict[str, Survival] = {}
    hits: dict[str, Hits] = {}
    # Where the proof cannot be made everything blocks as before, and says so.
    with suppress(EngineError):
        proven = survivors(
            _ticking(source, tick, 0.8, columns), _ticking(result, tick, 0.9, columns), columns
        )
        hits = dictionary_hits(source.batches(columns), result.batches(columns), named)
    return with_traces(account_for(found, keepers, proven, hits), of)


def _each_second(tick: Tick) -> Callable[[], None]:
    """A sign of life at the start of the work, once a second: reading ahead for all checks has no share of one."""
    said = time.monotonic()

    def alive() -> None:
        nonlocal said
        if (now := time.monotonic()) - said >= TICK_SECONDS:
            said = now
            tick(0.0)

    return alive


def with_traces(report: ResidualReport, of: TableSubject) -> ResidualReport:
    """The report with what the source's own values show about the result."""
    both = of.both
    traced = traces(both.source, both.result, both.direct, both.made, both.made_up, both.shares)
    known = {item.column for item in report.blocking}
    findings = [
        ResidualFinding(
            column=one.column,
            kind=one.kind,
            where="column",
            rows=one.rows,
            rate=one.rows / max(report.rows, 1),
            confidence=1.0,
            message=one.message,
            params=one.params,
        )
        for one in traced
        if one.column not in known
    ]
    return report.model_copy(update={"findings": (*findings, *report.findings)})


def _ticking(table: Table, tick: Tick, start: float, columns: Sequence[str]) -> Iterator[Any]:
    """The batches of a table, with a sign of life after each, over a tenth of the work."""
    done = 0
    for batch in table.batches(columns):
        yield batch
        done += batch.num_rows
        tick(start + 0.1 * min(1.0, done / max(table.rows, 1)))


def pseudonym_shapes(recipe: Recipe) -> dict[str, str]:
    """Column → the expression that each of its values fits, for columns of pseudonyms and of ciphertexts."""
    from techniques.catalogue import encryption
    from techniques.catalogue.pseudonymization import ALPHABETS, KeyedHashSettings, RandomPseudonymSettings

    shapes: dict[str, str] = {}
    for step in recipe.steps:
        for column in step.columns:
            shapes.pop(column, None)
        if isinstance(step.parameters, KeyedHashSettings | RandomPseudonymSettings):
            letters = re.escape("".join(ALPHABETS[step.parameters.alphabet]))
            shape = f"{re.escape(step.parameters.prefix)}[{letters}]{{{step.parameters.length}}}"
            shapes.update(dict.fromkeys(step.columns, shape))
        elif isinstance(step.parameters, encryption.DeterministicEncryptionSettings):
            # At least one block, and another one of the synthetic IV unless the length shows.
            letters, least = {"hex": ("0-9a-f", 32), "base32": ("a-z2-7", 26)}[step.parameters.encoding]
            shapes.update(dict.fromkeys(step.columns, f"[{letters}]{{{least},}}"))
        elif isinstance(step.parameters, encryption.HomomorphicEncryptionSettings):
            # Modulo the square of a number of that many bits, four of them a letter; RE2 repeats a thousand times at most.
            half = f"[0-9a-f]{{{int(step.parameters.bits) // 4}}}"
            shapes.update(dict.fromkeys(step.columns, half + half))
        elif isinstance(step.parameters, encryption.OrderPreservingEncryptionSettings):
            # Below 2^53: some are as long as a bank card's number, and one in ten of these has its check digit.
            shapes.update(dict.fromkeys(step.columns, "[0-9]{1,16}"))
        elif isinstance(step.parameters, encryption.SecretSharingSettings):
            shapes.update(dict.fromkeys(step.columns, "[0-9]{1,19}"))
    return shapes
