"""Mapping tables of assigned pseudonyms: made by a run, kept in the vault, handed to nobody.

A table goes into the encrypted store in pieces that are encrypted once more under a vault key of its run; destroying
that key ends the way back for good (GB/T 37964 4.2 c, A.4.2).

In a run over several tables each has its own mapping tables. Columns that are linked are never among them: a
recipe set refuses assigned pseudonyms there, as each table draws its own, and derives equal ones instead.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from approvals.audit.recording import recording
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.datasets.tables.names import column_label
from projects.jobs.registry import Tick
from projects.vault.models import Secret
from projects.vault.purposes import MAPPINGS
from projects.vault.services import secret_bytes
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .. import events
from ..models import MappingTable, Run

if TYPE_CHECKING:
    from techniques.engines.local import LocalRun

MAPPINGS_ITEM = "mappings"
MAPPINGS_WEIGHT = 0.2
"""Work for each row of the source, where reading it is 2."""
PIECE_ROWS = 1 << 16


def _file(step: int, place: int) -> str:
    return f"mapping-{step:04}-{place:04}"


def mappings_write(run: Run, engine: LocalRun, tick: Tick, table: str = "") -> None:
    """Write each mapping table that the engine made of one table of the run into its workspace, twice encrypted."""
    tables = engine.mapping_tables()
    key = secret_bytes(_live_key(run))
    for step, place, column in engine.recipe.assigned_columns():
        tick(0.0)
        with engine.workspace.open_write(_file(step, place)) as stream:
            _write(stream, key, _bound_to(run, table, step, column), tables[column])


def mappings_keep(
    run: Run, recipe: Recipe, workspace: EncryptedWorkspace, table: str = ""
) -> list[MappingTable]:
    """Take the written tables over into the vault; called in the transaction that ends the run's job."""
    kept: list[MappingTable] = []
    places = recipe.assigned_columns()
    if not places:
        return kept
    secret = _live_key(run)
    for step, place, column in places:
        stored = workspace.adopt(_file(step, place), purpose="mapping table")
        facts: dict[str, Any] = {"column": column_label(table, column), "table": stored.sha256}
        with recording(events.MAPPING_KEPT, by=None, about=run, **facts):
            kept.append(
                MappingTable.objects.create(
                    project=run.project,
                    run=run,
                    table=table,
                    step=step,
                    column=column,
                    stored=stored,
                    key=secret,
                )
            )
    return kept


def mapping_find(mapping: MappingTable, results: Sequence[str]) -> list[str | None]:
    """What each of ``results`` stands for, None where the table has no such pseudonym.

    Raises EngineError ``vault.destroyed``, ``mapping.altered``.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    key = secret_bytes(mapping.key)
    wanted = pa.array(results, pa.string())
    found = np.full(len(results), None, dtype=object)
    with store_open(mapping.stored) as stream:
        for piece in _pieces(
            stream, key, _bound_to(mapping.run, mapping.table, mapping.step, mapping.column)
        ):
            place = pc.index_in(wanted, piece.column("pseudonym").combine_chunks())
            here = np.asarray(place.is_valid())
            if here.any():
                values = piece.column("value").combine_chunks().take(place.drop_null())
                found[here] = values.to_pylist()
    return cast("list[str | None]", found.tolist())


def _live_key(run: Run) -> Secret:
    return Secret.objects.get(project=run.project_id, purpose=MAPPINGS % run.number, destroyed_at=None)


def _bound_to(run: Run, table: str, step: int, column: str) -> bytes:
    """What every piece is bound to, so that no table is read for another one."""
    of = f"{run.pk}:{table}" if table else run.pk
    return f"mapping:{of}:{step}:{column}:".encode()


def _write(stream: BinaryIO, key: bytes, bound_to: bytes, table: Any) -> None:
    import pyarrow as pa

    cipher = AESGCM(key)
    batches = table.to_batches(max_chunksize=PIECE_ROWS)
    for number in range(len(batches) + 1):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            if number < len(batches):
                writer.write_batch(batches[number])
        # An empty piece is the last one: a table that was cut short does not open.
        last = number == len(batches)
        sealed = _seal(cipher, bound_to, number, last, sink.getvalue().to_pybytes())
        stream.write(len(sealed).to_bytes(4, "big") + bytes([last]) + sealed)


def _seal(cipher: AESGCM, bound_to: bytes, number: int, last: bool, content: bytes) -> bytes:
    nonce = secrets.token_bytes(12)
    return nonce + cipher.encrypt(nonce, content, bound_to + b"%d:%d" % (number, last))


def _pieces(stream: BinaryIO, key: bytes, bound_to: bytes) -> Iterator[Any]:
    import pyarrow as pa

    cipher = AESGCM(key)
    number, last = 0, False
    while not last:
        head = stream.read(5)
        if len(head) != 5:
            raise _altered()
        last = bool(head[4])
        sealed = stream.read(int.from_bytes(head[:4], "big"))
        try:
            content = cipher.decrypt(sealed[:12], sealed[12:], bound_to + b"%d:%d" % (number, last))
        except (InvalidTag, ValueError):
            raise _altered() from None
        if not last:
            yield pa.ipc.open_stream(content).read_all()
        number += 1


def _altered() -> EngineError:
    text = gettext_noop("The mapping table cannot be opened: the record was altered.")
    return EngineError("mapping.altered", text)
