"""The effect of one step on a handful of rows, without files, for a person who chooses settings.

The step runs in the real engine over a table in memory, with a key that nobody keeps: pseudonyms and draws
of a preview are not those of a run. A step that learns from the data learns here from the sample alone.
"""

from __future__ import annotations

import csv
import io
import json
import secrets as randomness
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from techniques.catalogue import get
from techniques.core.messages import EngineError, _
from techniques.recipe.policy import require_national
from techniques.recipe.recipe import Recipe


class MemoryWorkspace:
    """The files of one short run, in memory only."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def open_read(self, name: str) -> BinaryIO:
        """The file; FileNotFoundError if there is none."""
        if name not in self._files:
            raise FileNotFoundError(name)
        return io.BytesIO(self._files[name])

    @contextmanager
    def open_write(self, name: str) -> Iterator[BinaryIO]:
        """Kept when the block ends without an error."""
        stream = io.BytesIO()
        yield stream
        self._files[name] = stream.getvalue()

    def exists(self, name: str) -> bool:
        return name in self._files

    def delete(self, name: str) -> None:
        self._files.pop(name, None)


def can_be_shown(technique: str) -> bool:
    """Whether a preview says anything: a model needs the whole table, few rows would all be suppressed."""
    return get(technique).previewable


def step_preview(
    step: Mapping[str, Any],
    columns: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    *,
    national: bool = False,
    keys: bytes = b"",
) -> dict[str, list[str | None]] | None:
    """The step's columns after it, in the order of the n ``rows``; a removed column is missing.

    ``keys``: 64 bytes from which pseudonyms and draws come, random where there are none; with the same ones the same step shows
    the same, so that asking often averages nothing out. None where rows were left out, so that nothing stands opposite anything. Raises EngineError as a run
    would: for settings, and for values that the technique cannot read.
    """
    from techniques.core.secrets import Secrets
    from techniques.engines.local import LocalRun, Source
    from techniques.tables.formats import FileFormat
    from techniques.tables.readers.reading import read_sample

    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [dict(step)]})
    if national:
        require_national(recipe)
    if not can_be_shown(recipe.steps[0].technique):
        raise EngineError(
            "no_preview",
            _("This technique works on the whole table; its effect shows after a run."),
        )
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
    content, keys = text.getvalue().encode(), keys or randomness.token_bytes(64)
    table_format, workspace = FileFormat(), MemoryWorkspace()
    run = LocalRun(
        recipe,
        Source(lambda: io.BytesIO(content), table_format, len(rows)),
        workspace,
        Secrets(
            keys[:32],
            keys[32:],
            purposes=dict.fromkeys(recipe.purposes(), keys[:32]),
            once=keys[32:],
            national=national,
        ),
        "csv",
    )
    run.execute_all()
    with workspace.open_read(run.result_name) as stream:
        result = read_sample(stream, run.format, len(rows) + 1)
    if result.num_rows != len(rows):
        return None
    after = {
        name: column.to_pylist() for name, column in zip(result.schema.names, result.columns, strict=True)
    }
    return {name: after[name] for name in recipe.steps[0].columns if name in after}


def main() -> int:
    """A preview in a process of its own: the question as JSON on the standard input, the answer on the output."""
    question = json.load(sys.stdin)
    try:
        national = bool(question.get("national"))
        keys = bytes.fromhex(question.get("keys", ""))
        after = step_preview(
            question["step"], question["columns"], question["rows"], national=national, keys=keys
        )
    except EngineError as error:
        answer: dict[str, Any] = {"code": error.code, "message": error.message, "params": error.params}
    else:
        answer = {"after": after}
    json.dump(answer, sys.stdout)
    # Arrow's threads may still let go of the table; an interpreter that is taken down meanwhile aborts now and then
    # (apache/arrow#34314). By then the answer is out.
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
