"""GB/T 37964 A.6: noise, permutation and microaggregation keep what they promise to keep."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.randomization import NoiseSettings, PermutationSettings
from techniques.core.draws import RunDraws
from techniques.core.messages import EngineError
from techniques.core.operations import Context, Unfit, Whole, WholeOutcome
from techniques.core.secrets import Secrets
from techniques.families.randomization.microaggregation import group_rows, modes
from techniques.families.randomization.noise import Noise
from tests.techniques.apply import cells, operation, whole

Column = list[str | None]


def noisy(texts: Column, seed: int = 1, label: str = "a", **chosen: Any) -> Column:
    made = Noise(NoiseSettings(**chosen), Context(0, ("c",), len(texts), Secrets(b"", seed)))
    encoded = pa.array(texts, pa.string()).dictionary_encode()
    codes = np.array(encoded.indices.fill_null(-1)).astype(np.int32)
    if made.needs_counts:
        counts = np.bincount(codes[codes >= 0], minlength=len(encoded.dictionary))
        made.restore(made.fit(encoded.dictionary, counts))
    return made.treat(cells(encoded.dictionary, codes, label, Secrets(b"", seed))).to_pylist()


def floats(column: Column) -> np.ndarray:
    return np.array([float(x) for x in column if x is not None])


def test_noise_has_mean_0_and_variance_1() -> None:
    drawn = RunDraws(Secrets(b"", 3), "x", 200_001)
    for numbers, share, bound in ((drawn.normal(), 0.6827, np.inf), (drawn.symmetric(), 0.5774, 1.74)):
        assert len(numbers) == 200_001
        assert abs(numbers.mean()) < 0.01
        assert abs(numbers.std() - 1) < 0.01
        assert np.abs(numbers).max() < bound
        # Not only the first two moments: the shares within one deviation are those of the distribution.
        assert abs((np.abs(numbers) < 1).mean() - share) < 0.005
    assert np.abs(drawn.normal()).max() > 1.74


VALUES: Column = [str(x) for x in np.random.default_rng(1).gamma(2, 500, 20_000).round(2)]


def test_additive_noise() -> None:
    after = floats(noisy(VALUES, spread=100.0))
    change = after - floats(VALUES)
    assert abs(change.mean()) < 3
    assert abs(change.std() - 100) < 2
    assert abs(np.corrcoef(change, floats(VALUES))[0, 1]) < 0.03
    assert (
        abs(
            (floats(noisy(VALUES, spread=0.5, unit="deviation")) - floats(VALUES)).std()
            / floats(VALUES).std()
            - 0.5
        )
        < 0.02
    )


def test_variance_is_kept_where_chosen() -> None:
    before = floats(VALUES)
    after = floats(noisy(VALUES, spread=1.0, unit="deviation", keep_variance=True))
    assert abs(after.std() / before.std() - 1) < 0.02
    assert abs(after.mean() - before.mean()) < 20
    assert noisy(["5", "5"], spread=1.0, keep_variance=True) == ["5", "5"], "what has no variance keeps none"


def test_multiplicative_noise_grows_with_the_value() -> None:
    ratio = floats(noisy(["1000"] * 10_000 + ["10"] * 10_000, spread=0.1, method="multiplicative"))
    assert abs(ratio[:10_000].std() - 100) < 3
    assert abs(ratio[10_000:].std() - 1) < 0.03
    assert noisy(["0"], spread=0.5, method="multiplicative") == ["0"]
    with pytest.raises(ValidationError):
        NoiseSettings(spread=0.1, method="multiplicative", keep_variance=True)


def test_every_row_draws_for_itself_and_the_seed_decides() -> None:
    column: Column = ["5"] * 50 + [None, "x"]
    after = noisy(column, spread=3.0, decimals=6)
    assert len(set(after[:50])) == 50
    assert after[50:] == [None, None]
    assert after == noisy(column, spread=3.0, decimals=6)
    assert after != noisy(column, seed=2, spread=3.0, decimals=6)
    assert after != noisy(column, label="b", spread=3.0, decimals=6)


def run(
    key: str, columns: list[Column], names: tuple[str, ...] = (), **chosen: Any
) -> tuple[list[Column], WholeOutcome]:
    table = whole(columns)
    made = operation(
        key, chosen, rows=table.rows, columns=names or tuple(f"c{i}" for i in range(len(columns)))
    )
    outcome = made.treat(table, lambda share: None)
    after = [
        [None if code < 0 else dictionary[code].as_py() for code in codes]
        for dictionary, codes in zip(outcome.dictionaries, outcome.codes, strict=True)
    ]
    return after, outcome


NOISE, MOVE, MICRO = (f"randomization.{n}" for n in ("correlated_noise", "permutation", "microaggregation"))


def correlated(rows: int) -> list[Column]:
    draw = np.random.default_rng(2)
    a = draw.normal(50, 10, rows)
    table = np.stack([a, 3 * a + draw.normal(0, 5, rows), draw.exponential(20, rows)], axis=1)
    return [[str(x) for x in column.round(3)] for column in table.T]


@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_correlated_noise_keeps_means_and_covariances(spread: float) -> None:
    columns = correlated(3000)
    after, _ = run(NOISE, columns, spread=spread, decimals=6)
    before_, after_ = (np.stack([floats(c) for c in cs]) for cs in (columns, after))
    assert np.allclose(before_.mean(axis=1), after_.mean(axis=1), atol=1e-5)
    assert np.allclose(np.cov(before_), np.cov(after_), rtol=1e-5)
    change = (after_ - before_).std(axis=1) / before_.std(axis=1)
    assert (change > 0.5 * spread / np.hypot(1, spread)).all()
    loose, _ = run(NOISE, columns, spread=spread, exact=False, decimals=6)
    assert np.allclose(np.cov(before_), np.cov(np.stack([floats(c) for c in loose])), rtol=0.2, atol=15)


def test_correlated_noise_where_something_is_missing_or_depends() -> None:
    columns = correlated(500)
    columns[0][7] = None
    columns.append([None if x is None else x for x in columns[1]])
    after, outcome = run(NOISE, columns, decimals=6)
    assert after[0][7] is None
    assert after[1][7] not in (None, columns[1][7])
    assert outcome.report == {"complete_rows": 499}
    assert after[1] == after[3], "columns that are the same stay the same"
    nothing, _ = run(NOISE, [["1", None], [None, "2"]])
    assert nothing == [[None, None], [None, None]]


@given(st.lists(st.tuples(*[st.one_of(st.none(), st.sampled_from("abcde"))] * 3), min_size=1, max_size=60))
def test_permutation_keeps_columns_groups_and_strata(rows: list[tuple[str | None, ...]]) -> None:
    columns: list[Column] = [list(column) for column in zip(*rows, strict=True)]
    after, outcome = run(MOVE, columns)
    assert Counter(zip(*after, strict=True)) == Counter(rows)
    after, outcome = run(MOVE, columns, ("a", "b", "c"), within=["b"])
    assert after[1] == columns[1]
    assert Counter(zip(*after, strict=True)) == Counter(rows), "pairs move within equal b"
    assert outcome.report == {"groups": len(set(columns[1]))}
    assert not outcome.removed.any()


def test_permutation_is_uniform() -> None:
    """Each of the 6 orders of three rows comes equally often over many seeds."""
    from techniques.families.randomization.permutation import Permutation

    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(3000):
        context = Context(0, ("c",), 3, Secrets(b"", seed))
        outcome = Permutation(PermutationSettings(), context).treat(whole([["x", "y", "z"]]), None)
        found[tuple(outcome.codes[0].tolist())] += 1
    assert len(found) == 6
    assert sum((n - 500) ** 2 / 500 for n in found.values()) < 20.5  # chi square, 5 degrees, p = 0.001


def test_permutation_needs_a_column_that_moves() -> None:
    for within in (["a", "b"], ["z"]):
        with pytest.raises(EngineError) as error:
            operation(MOVE, {"within": within}, columns=("a", "b"))
        assert error.value.code == "within_not_in_step"


reals = st.floats(-1000, 1000).map(lambda x: round(x, 2))


@given(st.integers(2, 6), st.integers(1, 3), st.data())
@settings(max_examples=60)
def test_groups_of_microaggregation(k: int, columns: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*[reals] * columns), min_size=k, max_size=50))
    texts: list[Column] = [[str(x) for x in column] for column in zip(*rows, strict=True)]
    after, outcome = run(MICRO, texts, k=k, decimals=6)
    assert min(Counter(zip(*after, strict=True)).values()) >= k
    groups = group_rows(np.array(rows), k, standardise=True)
    sizes = np.bincount(groups)
    assert k <= sizes.min()
    assert sizes.max() < 2 * k
    assert sorted(set(groups.tolist())) == list(range(len(sizes)))
    for before, result in zip(texts, after, strict=True):
        assert abs(floats(before).mean() - floats(result).mean()) < 1e-5
        assert floats(result).std() <= floats(before).std() + 1e-5
    assert 0 <= outcome.report["information_loss"] <= 1
    if columns == 1:
        pairs = sorted(zip(floats(texts[0]), floats(after[0]), strict=True))
        assert all(a[1] <= b[1] + 1e-6 for a, b in pairwise(pairs)), "order stays"


def slow_mdav(points: np.ndarray, k: int) -> list[list[int]]:
    """MDAV as the paper has it, ties by position."""
    left, groups = list(range(len(points))), []

    def around(place: int) -> None:
        near = sorted(left, key=lambda i: (((points[i] - points[place]) ** 2).sum(), i))[:k]
        groups.append(sorted(near))
        for i in near:
            left.remove(i)

    def farthest(centre: np.ndarray) -> int:
        return max(left, key=lambda i: ((points[i] - centre) ** 2).sum())

    while len(left) >= 3 * k:
        first = farthest(points[left].mean(axis=0))
        second = farthest(points[first])
        around(first)
        around(second)
    if len(left) >= 2 * k:
        around(farthest(points[left].mean(axis=0)))
    groups.append(sorted(left))
    return sorted(groups)


@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(4, 60))
@settings(max_examples=40)
def test_mdav_is_that_of_the_paper(k: int, seed: int, rows: int) -> None:
    points = np.random.default_rng(seed).normal(size=(max(rows, k), 2))
    groups = group_rows(points, k, standardise=False)
    found = sorted(np.flatnonzero(groups == g).tolist() for g in range(groups.max() + 1))
    assert found == slow_mdav(points - points.mean(axis=0), k)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), st.integers(2, 3))
@settings(max_examples=40)
def test_one_column_gets_the_best_grouping(values: list[int], k: int) -> None:
    numbers = np.sort(np.array(values, dtype=float))
    if len(numbers) < k:
        return
    groups = group_rows(numbers[:, None], k, standardise=True)
    made = sum(
        ((numbers[groups == g] - numbers[groups == g].mean()) ** 2).sum() for g in set(groups.tolist())
    )
    best = np.inf
    for cuts in (c for n in range(len(numbers)) for c in combinations(range(1, len(numbers)), n)):
        pieces = np.split(numbers, cuts)
        if min(map(len, pieces)) >= k:
            best = min(best, sum(((p - p.mean()) ** 2).sum() for p in pieces))
    assert made == pytest.approx(best, abs=1e-6)


def test_microaggregation_of_what_is_missing_or_too_small() -> None:
    after, outcome = run(MICRO, [["1", None, "3", "5"], ["2", "9", "4", "6"]], k=3)
    assert after == [["3", None, "3", "3"], ["4", None, "4", "4"]]
    assert outcome.report["rows_without_group"] == 1
    with pytest.raises(EngineError) as error:
        run(MICRO, [["1", "2"]], k=3)
    assert error.value.code == "k_too_large"
    with pytest.raises(Unfit):
        run(MICRO, [["1", "x", "2"]], k=2)
    assert run(MICRO, [["1", "x", "2"]], k=2, unfit="suppress")[0] == [["1.5", None, "1.5"]]


def test_whole_is_what_the_helper_says() -> None:
    assert isinstance(whole([["a", None]]), Whole)


def test_categories_are_microaggregated_by_mode() -> None:
    draw = np.random.default_rng(4)
    # Three towns of people who are alike; the jobs of a few stand out.
    town = draw.integers(0, 3, 300)
    jobs: Column = [["farmer", "miner", "clerk"][t] if i % 20 else f"odd {i}" for i, t in enumerate(town)]
    columns: list[Column] = [[f"{100 * t + draw.normal():.3f}" for t in town], jobs, [f"T{t}" for t in town]]
    after, outcome = run(MICRO, columns, k=5, categories=["c1", "c2"])
    counts = Counter(zip(*after, strict=True))
    assert min(counts.values()) >= 5
    assert set(after[1]) == {"farmer", "miner", "clerk"}
    moved = sum(a != b for a, b in zip(after[2], columns[2], strict=True))
    assert moved <= 10, "hardly anybody is put among people of another town"
    assert 15 / 600 <= outcome.report["categories_changed"] < 40 / 600
    only, _ = run(MICRO, columns[1:], names=("c1", "c2"), k=5, categories=["c1", "c2"])
    assert min(Counter(zip(*only, strict=True)).values()) >= 5
    gone, _ = run(MICRO, [["1", "2", "3"], ["a", None, "a"]], k=2, categories=["c1"])
    assert gone == [["2", None, "2"], ["a", None, "a"]]
    with pytest.raises(EngineError):
        run(MICRO, columns, categories=["c9"])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=40))
@settings(max_examples=30)
def test_modes(pairs: list[tuple[int, int]]) -> None:
    groups = np.unique([g for g, _ in pairs], return_inverse=True)[1].astype(np.int32)
    codes = np.array([c for _, c in pairs], dtype=np.int32)
    found = modes(groups, codes, int(groups.max()) + 1)
    for group, mode in enumerate(found):
        counted = Counter(codes[groups == group].tolist())
        assert counted[int(mode)] == max(counted.values())
        assert mode == min(code for code, n in counted.items() if n == counted[int(mode)])
