"""Risk by entropy: the source's printed figures, a plain count of every set of columns, persons, what survives."""

from __future__ import annotations

from itertools import combinations
from math import log2
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.entropy import Attack, entropy_change, entropy_risk, survival_of

QI = (
    "age", "occupation", "hours-per-week", "education", "relationship", "workclass", "race", "sex", "marital-status",
    "native-country",
)  # fmt: skip
GAINS = (0.3791, 0.2262, 0.1789, 0.1012, 0.0494, 0.0179, 0.0088, 0.0056, 0.0030, 0.0026)
NUMERIC = ("age", "hours-per-week")


@pytest.fixture(scope="module")
def adult(real_data_dir: Path) -> pa.Table:
    table = pa.csv.read_csv(
        real_data_dir / "adult_full.csv", convert_options=pa.csv.ConvertOptions(strings_can_be_null=False)
    )
    return table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))


def test_the_increments_and_scores_are_those_that_are_printed(adult: pa.Table) -> None:
    found = entropy_risk(adult.to_batches(), sorted(QI), ["income"])
    assert tuple(one.column for one in found.path) == QI
    assert tuple(round(one.gain, 4) for one in found.path) == GAINS
    assert round(found.impact, 4) == 0.8584
    assert found.risk == pytest.approx(0.7475, abs=1.5e-4)
    without = entropy_risk(adult.to_batches(), QI)
    assert (round(without.impact, 4), round(without.risk, 4)) == (0.3720, 0.3240)
    assert without.likelihood == found.likelihood
    # The other reading of the scrambled number of attributes.
    more = Attack(most_known=20)
    risks = [entropy_risk(adult.to_batches(), QI, own, attack=more).risk for own in (["income"], [])]
    assert [round(risk, 3) for risk in risks] == [0.789, 0.342]
    assert risks[1] / risks[0] == pytest.approx(0.4334, abs=1e-4)


def test_risk_grows_with_columns_and_flattens(adult: pa.Table) -> None:
    found = [entropy_risk(adult.to_batches(), QI[:m], ["income"]) for m in range(1, 11)]
    steps = np.diff([one.risk for one in found])
    assert steps.min() > 0
    assert steps[5:].max() < steps[:5].min()
    assert found[9].likelihood - found[5].likelihood < 0.01 < found[5].likelihood - found[0].likelihood


def test_stronger_treatment_lowers_likelihood_and_impact(adult: pa.Table) -> None:
    rng = np.random.default_rng(7)
    found = [entropy_risk(adult.to_batches(), QI, ["income"])]
    for width, masked in ((5, 0.05), (10, 0.2), (10, 0.6)):
        columns = {}
        for name in QI:
            values = np.array(adult[name].to_pylist(), dtype=object)
            if name in NUMERIC:
                columns[name] = (values.astype(int) // width * width).astype(str)
            else:
                columns[name] = np.where(rng.random(len(values)) < masked, "*", values)
        treated = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
        treated = treated.append_column("income", adult["income"])
        left = survival_of(adult, treated, [*QI, "income"])
        assert left["race"] == pytest.approx(1 - masked, abs=0.02)
        found.append(entropy_risk(treated.to_batches(), QI, ["income"], survival=left))
    for figure in ("likelihood", "impact", "risk"):
        values = [getattr(one, figure) for one in found]
        assert values == sorted(values, reverse=True), figure


def _table(rng: np.random.Generator, rows: int, columns: int) -> pa.Table:
    cells = rng.integers(0, rng.integers(1, 6, columns), (rows, columns))
    return pa.table({f"c{i}": pa.array(cells[:, i].astype(str)) for i in range(columns)})


def _information(table: pa.Table, names: tuple[str, ...], who: list[int]) -> float:
    """The mutual information of person and combination by plain counting, over log2 of the persons."""
    rows = list(zip(*(table[name].to_pylist() for name in names), strict=True))
    weight = {person: 1 / who.count(person) / len(set(who)) for person in who}

    def bits(keys: list[tuple[object, ...]]) -> float:
        sums: dict[tuple[object, ...], float] = {}
        for key, person in zip(keys, who, strict=True):
            sums[key] = sums.get(key, 0.0) + weight[person]
        return -sum(one * log2(one) for one in sums.values())

    persons = log2(len(set(who)))
    with_person = bits([(*row, person) for row, person in zip(rows, who, strict=True)])
    return (bits(rows) + persons - with_person) / persons


@pytest.mark.parametrize("seed", range(12))
def test_path_and_average_are_those_of_a_plain_count(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = _table(rng, int(rng.integers(2, 40)), int(rng.integers(1, 5)))
    names = tuple(table.column_names)
    who = (
        rng.integers(0, max(2, table.num_rows // 2), table.num_rows)
        if seed % 2
        else np.arange(table.num_rows)
    )
    who[:2] = [0, 1]
    subjects = who.astype(np.int32) if seed % 2 else None
    attack = Attack(known=0.4, most_known=3)
    found = entropy_risk(table.to_batches(), names, ["s"], attack=attack, subjects=subjects, average=True)
    sets = [one for size in range(1, len(names) + 1) for one in combinations(names, size)]
    of_set = {one: _information(table, one, who.tolist()) for one in sets}
    risks = [
        of_set[one] ** 2 * attack.frequency(len(one)) * min(1, 0.5 + 0.05 * (len(names) - len(one)))
        for one in sets
    ]
    assert found.average == pytest.approx(np.mean(risks), abs=1e-12)
    chosen: tuple[str, ...] = ()
    for one in found.path:
        options = {name: of_set[tuple(sorted((*chosen, name)))] for name in names if name not in chosen}
        assert one.severity == pytest.approx(options[one.column], abs=1e-9)
        assert one.severity == pytest.approx(max(options.values()), abs=1e-9)
        chosen = (*chosen, one.column)
    assert sum(one.gain for one in found.path) == pytest.approx(of_set[names], abs=1e-9)
    assert 0 <= found.risk <= 1


def test_the_same_rows_again_for_each_person_change_nothing() -> None:
    table = _table(np.random.default_rng(3), 60, 4)
    thrice = pa.concat_tables([table] * 3)
    who = np.tile(np.arange(60, dtype=np.int32), 3)
    once = entropy_risk(table.to_batches(), table.column_names, average=True)
    again = entropy_risk(thrice.to_batches(), table.column_names, subjects=who, average=True)
    assert (again.units, again.risk, again.average) == (
        60,
        pytest.approx(once.risk, abs=1e-12),
        pytest.approx(once.average, abs=1e-12),
    )


def test_frequency_is_the_tail_of_the_binomial() -> None:
    attack = Attack(known=0.3, most_known=4)
    assert attack.frequency(0) == pytest.approx(1)
    assert attack.frequency(1) == pytest.approx(1 - 0.7**4)
    assert attack.frequency(4) == pytest.approx(0.3**4)
    assert attack.frequency(5) == 0


def test_one_row_has_severity_1_and_no_rows_are_refused() -> None:
    one = pa.table({"a": pa.array(["x"])})
    assert entropy_risk(one.to_batches(), ["a"]).path[0].severity == 1
    with pytest.raises(EngineError, match="no rows"):
        entropy_risk(one.slice(0, 0).to_batches(), ["a"])
    wide = pa.table({f"c{i}": pa.array(["x", "y"]) for i in range(15)})
    with pytest.raises(EngineError, match="At most 14"):
        entropy_risk(wide.to_batches(), wide.column_names, average=True)
    assert len(entropy_risk(wide.to_batches(), wide.column_names).path) == 15
    assert entropy_risk(wide.to_batches(), wide.column_names[:14], average=True).average is not None


def test_several_rows_of_the_only_person_tell_all_of_who_it_is() -> None:
    table = pa.table({"a": pa.array(["x", "y", "x"])})
    found = entropy_risk(table.to_batches(), ["a"], subjects=np.zeros(3, np.int32), average=True)
    assert (found.units, found.path[0].severity, found.path[0].gain) == (1, 1.0, 1.0)
    assert found.likelihood == found.path[0].frequency


def test_two_people_by_hand() -> None:
    """Of four rows x, x, y, y: one bit of two is told. Column b tells rows 1 and 2 apart and no more: ½·½ + 2·¼·½ … = 1.5
    bits of two, and both together everything."""
    table = pa.table({"a": ["x", "x", "y", "y"], "b": ["1", "2", "3", "3"]})
    attack = Attack(known=0.5, most_known=2, sensitive=0.4, quasi=0.25)
    found = entropy_risk(table.to_batches(), ["a", "b"], ["s"], attack=attack, average=True)
    assert [(one.column, one.severity, one.gain) for one in found.path] == [
        ("b", 0.75, 0.75),
        ("a", 0.75, 0.0),
    ]
    assert [one.frequency for one in found.path] == [0.75, 0.25]
    assert [one.leakage for one in found.path] == [pytest.approx(0.65), 0.4]
    assert found.likelihood == pytest.approx(0.75 * 0.75)
    assert found.impact == pytest.approx(0.75 * 0.65)
    assert found.risk == pytest.approx(found.likelihood * found.impact)
    sets = (0.5**2 * 0.75 * 0.65, 0.75**2 * 0.75 * 0.65, 0.75**2 * 0.25 * 0.4)
    assert found.average == pytest.approx(sum(sets) / 3)
    # Three sensitive attributes would weigh more than everything.
    more = entropy_risk(table.to_batches(), ["a", "b"], ["s", "t", "u"], attack=attack)
    assert [one.leakage for one in more.path] == [1.0, 1.0]


def test_the_mean_over_all_sets_is_worked_out_while_it_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three different rows times four sets of two columns."""
    table = pa.table({"a": ["x", "x", "y", "y"], "b": ["1", "2", "3", "3"]})
    for quick, there in ((12, True), (11, False)):
        monkeypatch.setattr("techniques.disclosure_risk.entropy.QUICK", quick)
        assert (entropy_risk(table.to_batches(), ["a", "b"], average=None).average is not None) is there


@pytest.mark.parametrize(
    ("source", "released", "left"),
    [
        # Numbers: of a range of 10 what is moved by 5 loses a half, and nothing loses more than all.
        (["0", "10"], ["0", "5"], 0.75),
        (["0", "10"], ["0", "1000"], 0.5),
        (["0", "10"], ["-1000", "10"], 0.5),
        (["0", "10"], ["*", "10"], 0.5),
        # Of three one is gone or two: 25 is 15 from 10 and 30 is 10 from 20; -5 is 5 from 0.
        (["0", "10", "20"], ["25", "30"], 0.375),
        (["0", "10", "20"], ["-5", "20"], 0.875),
        (["0", "10", "20"], ["10"], 1.0),
        # Where all are equal only what is just that is left.
        (["5", "5", "5"], ["5", "6", "5"], 2 / 3),
        # A missing cell that was missing is left, further ones are not.
        (["", "0", "10"], ["", "0", "10"], 1.0),
        (["", "0", "10"], ["", "", "10"], 2 / 3),
        (["", "", "10", "0"], ["", "10", "0", "0"], 0.75),
        # More numbers than there were: the further ones are nobody's, whichever they are.
        (["0", ""], ["0", "0"], 0.5),
        (["0", "10", ""], ["0", "0", "10"], 2 / 3),
        (["0", "10", ""], ["0", "10", "10"], 2 / 3),
        (["0", "10", "", ""], ["-5", "-5", "-5", ""], 0.375),
        # Texts: as many as have a cell of their own.
        (["a", "b", "b"], ["b", "b", "b"], 2 / 3),
        (["a", "1"], ["1", "1"], 0.5),
        (["", ""], ["", ""], 1.0),
        (["", ""], ["", "x"], 0.5),
        (["a", "b"], ["c", "d"], 0.0),
    ],
)  # fmt: skip
def test_what_survives_by_hand(source: list[str], released: list[str], left: float) -> None:
    before, after = (pa.table({"a": pa.array(values, pa.string())}) for values in (source, released))
    assert survival_of(before, after, ["a"]) == {"a": pytest.approx(left)}
    found = entropy_change(before.to_batches(), after.to_batches(), ["a"], left=["a"])
    assert found.result.survival == {"a": pytest.approx(left)}


@pytest.mark.parametrize("seed", range(20))
def test_what_survives_is_never_said_to_be_less_than_it_is(seed: int) -> None:
    """The released rows stand in any order, some are gone: the figure is at least that of the true pairs of rows, and
    just that where a treatment keeps the order of values and all rows stay."""
    rng = np.random.default_rng(seed)
    n = 50
    numbers, kinds = rng.integers(0, 90, n), rng.integers(0, 5, n)
    moved = numbers // 10 * 10 if seed % 2 else np.clip(numbers + rng.integers(-9, 10, n), 0, None)
    texts = np.where(rng.random(n) < 0.2, "*", moved.astype(str))
    masked = np.where(rng.random(n) < 0.4, "*", kinds.astype(str) + "k")
    kept = rng.permutation(n)[: n if seed < 4 else int(rng.integers(1, n))]
    source = pa.table({"number": numbers.astype(str), "kind": kinds.astype(str) + "k"})
    released = pa.table(
        {"number": pa.array(texts[kept], pa.string()), "kind": pa.array(masked[kept], pa.string())}
    )
    found = survival_of(source, released, ["number", "kind"])
    width = numbers.max() - numbers.min()
    lost = np.where(texts == "*", 1.0, np.minimum(np.abs(moved - numbers) / width, 1))[kept]
    assert found["number"] >= 1 - lost.mean() - 1e-12
    assert found["kind"] >= (masked != "*")[kept].mean() - 1e-12
    if seed < 4:
        assert found["kind"] == pytest.approx((masked != "*").mean())


@pytest.mark.parametrize("seed", range(6))
def test_cells_that_were_filled_in_hide_none_that_survived(seed: int) -> None:
    """The numbers stay, in another order, and what was missing holds some number now."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 90, 30).astype(str)
    missing = rng.random(30) < 0.4
    filled = np.where(missing, rng.integers(-50, 150, 30).astype(str), numbers)[rng.permutation(30)]
    source = pa.table({"n": pa.array(np.where(missing, "", numbers), pa.string())})
    found = survival_of(source, pa.table({"n": pa.array(filled, pa.string())}), ["n"])
    assert found == {"n": pytest.approx(1 - missing.mean())}


def test_untouched_columns_survive_and_stars_do_not() -> None:
    source = pa.table({"a": ["1", "2", "", "9"], "b": ["x", "y", "z", ""]})
    assert survival_of(source, source.take([2, 0, 3, 1]), ["a", "b"]) == {"a": 1.0, "b": 1.0}
    stars = pa.table({"a": ["*"] * 4, "b": ["*"] * 4})
    assert survival_of(source, stars, ["a", "b"]) == {"a": 0.0, "b": 0.0}
    assert survival_of(source, source.slice(0, 0), ["a"]) == {"a": 0.0}


def test_the_change_is_that_of_both_tables_with_what_survived() -> None:
    rng = np.random.default_rng(5)
    source = _table(rng, 400, 4)
    released = source.set_column(1, "c1", pa.array(["*"] * 400)).drop_columns(["c2"])
    found = entropy_change(
        source.to_batches(max_chunksize=90), released.to_batches(), ["c0", "c1", "c2"], ["c3"], left=["c0", "c1", "c3"]
    )  # fmt: skip
    assert found.source == entropy_risk(source.to_batches(), ["c0", "c1", "c2"], ["c3"], average=True)
    left = survival_of(source, released, ["c0", "c1", "c3"])
    # Nothing of a column that is gone survives, though it could still be laid open.
    alone = entropy_risk(released.to_batches(), ["c0", "c1"], ["c3"], survival=left, average=True)
    assert (found.result.risk, found.result.average) == (alone.risk, alone.average)
    assert found.result.survival == {"c0": 1.0, "c1": 0.0, "c2": 0.0, "c3": 1.0}
    assert found.result.risk < found.source.risk


def test_the_mean_over_all_sets_is_left_out_where_they_are_too_many() -> None:
    table = _table(np.random.default_rng(6), 60, 15)
    names = table.column_names
    assert entropy_risk(table.to_batches(), names, average=None).average is None
    assert entropy_risk(table.to_batches(), names[:14], average=None).average is not None
