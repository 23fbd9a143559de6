"""The order of shuffled rows: it is the same however many piles are kept together."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.secrets import Secrets
from techniques.engines import order
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.engines.order import bundled, dealt, gathered, shuffled_pile
from techniques.engines.parts import PART_BYTES
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
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=9),
    st.integers(0, 5000),
    st.integers(1, 12),
    st.integers(0, 2**32),
)
def test_piles_kept_together_are_shuffled_as_piles_apart(
    sizes: list[int], most_bytes: int, most: int, seed: int
) -> None:
    """Parts of few rows keep more of their piles together than parts of many."""
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
    with patch.object(order, "BUNDLE_BYTES", most_bytes), patch.object(order, "MAX_BUNDLE", most):
        pieces = [list(bundled(batch, secrets, part, piles)) for part, batch in enumerate(batches)]
    found = list(gathered(_files(pieces), secrets, piles))
    assert [one.to_pydict() for one in found] == [one.to_pydict() for one in wanted]
    assert sorted(row for one in found for row in one.to_pydict()["row"]) == list(range(sum(sizes)))


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75]), max_size=60), st.integers(0, 3))
def test_rows_of_equal_draws_keep_their_order(draws: list[float], piles: int) -> None:
    """As Python's own sorting has it: draws of 53 bits are equal so seldom that no other test would see it."""
    batch = pa.record_batch([pa.array(range(len(draws)), pa.int64())], names=["row"])
    with patch.object(Secrets, "uniform", lambda _self, _label, _count: np.array(draws)):
        found = shuffled_pile(batch, 0, Secrets(b"", 0))
        dealt_rows = [
            row for one in dealt(batch, Secrets(b"", 0), 0, piles + 1) for row in one["row"].to_pylist()
        ]
    assert found["row"].to_pylist() == sorted(range(len(draws)), key=draws.__getitem__)
    assert dealt_rows == sorted(range(len(draws)), key=lambda row: int(draws[row] * (piles + 1)))


def test_as_many_piles_are_kept_together_as_their_bytes_allow(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source(lambda: io.BytesIO(content), FileFormat(kind="csv"), ROWS, ROWS * PART_BYTES // 256)
    found, size = {}, 0

    def run_with(most: int) -> None:
        nonlocal size
        monkeypatch.setattr(order, "BUNDLE_BYTES", most)
        workspace = DirectoryWorkspace(tmp_path / str(most))
        run = LocalRun(Recipe.parse(RECIPE), source, workspace, SECRETS, order="shuffled")
        run.execute_all()
        with workspace.open_read("out-00000") as stream:
            bundles = pa.ipc.open_file(stream)
            size = bundles.read_all().nbytes
            found[bundles.num_record_batches] = result_of(run)

    run_with(1 << 30)
    # Twice the rows of a part are two piles of all parts.
    run_with(size * 5 // 2)
    run_with(1)
    assert sorted(found) == [1, 3, source.parts]
    assert len(set(found.values())) == 1
