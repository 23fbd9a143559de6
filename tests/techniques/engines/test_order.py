"""The order of shuffled rows: it is the same however many piles are kept together."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.secrets import Secrets
from techniques.engines import parts
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.engines.order import bundled, dealt, gathered, shuffled_pile
from techniques.recipe.recipe import Recipe
from techniques.tables.formats import FileFormat
from tests.techniques.engines.conftest import RECIPE, ROWS, SECRETS, result_of


def _files(pieces: list[list[pa.RecordBatch]]) -> list[pa.ipc.RecordBatchFileReader]:
    files = []
    for own in pieces:
        sink = io.BytesIO()
        with pa.ipc.new_file(sink, own[0].schema) as writer:
            for piece in own:
                writer.write_batch(piece)
        files.append(pa.ipc.open_file(pa.BufferReader(sink.getvalue())))
    return files


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.integers(1, 12), st.integers(0, 2**32))
def test_piles_kept_together_are_shuffled_as_piles_apart(sizes: list[int], together: int, seed: int) -> None:
    secrets, piles = Secrets(b"", seed), len(sizes)
    starts = np.cumsum([0, *sizes])
    batches = [
        pa.record_batch(
            [
                pa.array(np.arange(first, last)),
                pa.array([str(row) if row % 3 else None for row in range(first, last)], pa.string()),
            ],
            names=["row", "pile"],
        )
        for first, last in itertools.pairwise(starts)
    ]
    apart = [list(dealt(batch, secrets, part, piles)) for part, batch in enumerate(batches)]
    wanted = [
        shuffled_pile(pa.concat_batches([own[pile] for own in apart]), pile, secrets) for pile in range(piles)
    ]
    files = _files(
        [list(bundled(batch, secrets, part, piles, together)) for part, batch in enumerate(batches)]
    )
    found = list(gathered(files, secrets, piles, together))
    assert [one.to_pydict() for one in found] == [one.to_pydict() for one in wanted]
    assert sorted(row for one in found for row in one.to_pydict()["row"]) == list(range(sum(sizes)))


def test_as_many_piles_are_held_as_their_bytes_allow(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source(lambda: io.BytesIO(content), FileFormat(kind="csv"), ROWS, ROWS * parts.PART_BYTES // 256)
    found = {}
    for most in (1, 100_000, 1 << 30):
        monkeypatch.setattr(parts, "BUNDLE_BYTES", most)
        workspace = DirectoryWorkspace(tmp_path / str(most))
        run = LocalRun(Recipe.parse(RECIPE), source, workspace, SECRETS, order="shuffled")
        run.execute_all()
        found[run.parts.bundle] = result_of(run)
        # Each cell has four bytes, beside the texts of columns that have too many values.
        assert run.parts.manifest["part_bytes"] == 256 * 4 * len(run.parts.columns)
    assert sorted(found) == [1, 10, 16]
    assert len(set(found.values())) == 1


def test_texts_of_many_values_weigh_what_they_take_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MAX_DICTIONARY", 1)
    lines = ["name", *("ab" if number % 2 else "abcdef" for number in range(100))]
    source = Source(lambda: io.BytesIO("\n".join(lines).encode()), FileFormat(kind="csv"), 100)
    recipe = "steps:\n  - {technique: as_is, column: name, parameters: {reason: needed for the study}}\n"
    run = LocalRun(Recipe.parse(recipe), source, DirectoryWorkspace(tmp_path), SECRETS)
    run.execute_all()
    assert run.parts.manifest["part_bytes"] == 100 * 4 + 50 * (2 + 6)
