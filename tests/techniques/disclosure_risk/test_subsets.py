"""Every subset of columns, against the plainest count."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.disclosure_risk.subsets import of_codes, subsets, sums_by_subset

NAMES = ("a", "b", "c")


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=40),
    st.sampled_from([0.3, 1.0]),
)
def test_by_definition(rows: list[tuple[int, int, int]], share: float) -> None:
    found = of_codes(np.array(rows, np.int32).T.copy(), (4, 3, 10), NAMES)
    n = len(rows)
    distinct = {(): 1}
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            counts = Counter(tuple(row[i] for i in chosen) for row in rows)
            one = found.by_mask[sum(1 << i for i in chosen)]
            assert one.columns == tuple(NAMES[i] for i in chosen)
            assert one.combinations == len(counts)
            assert one.k == min(counts.values())
            assert one.distinction == pytest.approx(len(counts) / n)
            assert one.unique == pytest.approx(sum(c == 1 for c in counts.values()) / n)
            apart = sum(
                any(p[i] != q[i] for i in chosen) for p, q in combinations(rows, 2)
            ) / max(n * (n - 1) / 2, 1)  # fmt: skip
            assert one.separation == pytest.approx(apart)
            distinct[chosen] = len(counts)
    for i, name in enumerate(NAMES):
        gains = []
        for order in permutations(range(3)):
            before = tuple(sorted(order[: order.index(i)]))
            gains.append(distinct[tuple(sorted((*before, i)))] - distinct[before])
        assert found.contribution[name] == pytest.approx(np.mean(gains) / n)
    unique = {mask: one.unique >= share - 1e-12 for mask, one in found.by_mask.items()}
    wanted = {
        m
        for m, good in unique.items()
        if good and not any(unique[s] and s & m == s and s != m for s in unique)
    }
    assert {sum(1 << NAMES.index(c) for c in one.columns) for one in found.minimal(share)} == wanted


def test_keys_wider_than_64_bits() -> None:
    draw = np.random.default_rng(1)
    codes = draw.integers(0, 1 << 30, (3, 50)).astype(np.int32)
    codes[:, 25:] = codes[:, :25]
    found = of_codes(codes, (1 << 30,) * 3, NAMES)
    assert found.by_mask[7].combinations == 25
    assert found.by_mask[7].k == 2


def test_suppressed_rows_count_as_a_class_or_not_at_all() -> None:
    table = pa.table({"a": ["1", "1", "2", "*", "*", "*"], "b": ["x", "x", "*", "*", "*", "*"]})
    own, left_out = (subsets(table.to_batches(), ["a", "b"], option) for option in ("own_class", "left_out"))
    assert [(own.by_mask[mask].combinations, own.by_mask[mask].k) for mask in (1, 2, 3)] == [
        (3, 1),
        (2, 2),
        (3, 1),
    ]
    # The row with one star stays.
    plain = subsets(table.slice(0, 3).to_batches(), ["a", "b"])
    assert left_out.by_mask == plain.by_mask
    assert left_out.contribution == plain.contribution
    assert [(one.combinations, one.k) for one in left_out.by_mask.values()] == [(2, 1)] * 3
    nobody = subsets(table.slice(3).to_batches(), ["a", "b"], "left_out")
    assert {(one.combinations, one.k, one.unique) for one in nobody.by_mask.values()} == {(0, 0, 0.0)}
    assert nobody.contribution == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize(("columns", "refused"), [(3, False), (4, True)])
def test_as_many_columns_as_are_allowed_are_looked_at(
    columns: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("techniques.disclosure_risk.subsets.MOST_COLUMNS", 3)
    table = pa.table({f"c{i}": ["1", "2"] for i in range(columns)})
    if refused:
        with pytest.raises(EngineError) as error:
            subsets(table.to_batches(), table.column_names)
        assert error.value.code == "too_many_columns"
        assert dict(error.value.params) == {"most": 3}
    else:
        assert len(subsets(table.to_batches(), table.column_names).by_mask) == 7


def test_faults_and_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pa.table({f"c{i}": ["1"] for i in range(15)})
    with pytest.raises(EngineError, match="At most 14"):
        subsets(table.to_batches(), table.column_names)
    found = subsets(table.to_batches(), table.column_names[:4])
    assert len(found.by_mask) == 15
    assert {(one.separation, one.unique, one.k) for one in found.by_mask.values()} == {(0.0, 1.0, 1)}
    with pytest.raises(EngineError, match="no rows"):
        subsets(table.slice(1).to_batches(), ["c0"])
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,x,1\n1,y,1\n2,x,1\n2,y,1\n")
    assert main(["risk", str(path), "--qi", "a,b,c", "--subsets", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [one["columns"] for one in figures["minimal_unique"]] == [["a", "b"]]
    assert figures["contribution"] == pytest.approx({"a": 0.375, "b": 0.375, "c": 0.0})
    assert len(figures["subsets"]) == 7


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.booleans())
def test_sums_are_those_of_each_set_where_columns_nearly_follow_from_another(
    seed: int, rows: int, whole: bool
) -> None:
    drawn = np.random.default_rng(seed)
    key = drawn.integers(0, rows, rows)
    follows, nearly = (drawn.integers(0, 9, rows)[key] for _column in range(2))
    strays = drawn.random(rows) < 0.02
    nearly[strays] = drawn.integers(0, 9, int(strays.sum()))
    codes = np.array([follows, nearly, key, drawn.integers(0, 5, rows)], dtype=np.int32)
    weights = drawn.integers(1, 9, rows)
    if whole:
        codes, first = np.unique(codes, axis=1, return_index=True)
        codes, weights = np.ascontiguousarray(codes), weights[first]
    cardinality = [int(one.max()) + 1 for one in codes]
    found = dict(sums_by_subset(codes, weights, cardinality, sorted, are_different=whole))
    assert found.keys() == {*range(1, 16)}
    for mask, sums in found.items():
        counted: Counter[tuple[int, ...]] = Counter()
        for row, weight in zip(codes.T.tolist(), weights.tolist(), strict=True):
            counted[tuple(code for place, code in enumerate(row) if mask >> place & 1)] += weight
        assert sums == sorted(counted.values())
