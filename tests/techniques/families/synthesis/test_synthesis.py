"""GB/T 37964 A.7: made-up rows are alike in the whole, private where that is said, and tested for closeness."""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import pairwise
from pathlib import Path

import numpy as np
import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from id_validator.validator import is_valid
from pydantic import ValidationError

from techniques.catalogue.synthesis import PrivateSynthesisSettings, domain_of
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.families.synthesis.budget import Budget
from techniques.families.synthesis.closeness import closeness, split
from techniques.families.synthesis.columns import CATEGORY, DATE, NUMBER, learn
from techniques.families.synthesis.noise import BITS, Noise, choose
from techniques.families.synthesis.places import GIVEN
from techniques.families.synthesis.private import project
from techniques.identification.checks import is_id_number, luhn
from techniques.identification.vocabulary import SURNAMES
from tests.techniques.apply import SECRETS, Column, apply, cells_of, operation, run_whole, whole

ROWS = 3000


def people(rows: int = ROWS, seed: int = 1) -> list[Column]:
    """Pay follows age and sex, pay is missing for some, one city is rare."""
    draw = np.random.default_rng(seed)
    age = draw.integers(20, 70, rows)
    sex = draw.choice(["男", "女"], rows, p=[0.6, 0.4])
    pay = 3000 + 100 * age + 1500 * (sex == "男") + draw.normal(0, 300, rows)
    paid: Column = [None if draw.random() < 0.1 else f"{x:.2f}" for x in pay]
    city: Column = [str(c) for c in draw.choice(["北京", "上海", "广州"], rows)]
    city[:3] = ["小镇"] * 3
    return [[str(x) for x in age], [str(x) for x in sex], paid, city]


def shares(column: Column) -> dict[str | None, float]:
    return {value: n / len(column) for value, n in Counter(column).items()}


def test_columns_and_relations_stay_and_nobody_is_copied() -> None:
    before = people()
    outcome = run_whole("synthesis.sequential", before)
    after = cells_of(outcome)
    assert not outcome.removed.any()
    for i in (0, 1, 3):
        old, new = shares(before[i]), shares(after[i])
        assert sum(abs(old.get(x, 0) - new.get(x, 0)) for x in {*old, *new}) / 2 < 0.06
    assert abs(after[2].count(None) / ROWS - 0.1) < 0.03
    known = [(float(a), s == "男", float(p)) for a, s, p in zip(*after[:3], strict=True) if a and p]
    ages, male, pay = (np.array(x) for x in zip(*known, strict=True))
    assert np.corrcoef(ages, pay)[0, 1] > 0.75
    assert abs(pay[male].mean() - pay[~male].mean() - 1500) < 300
    # Rare categories and single numbers are nobody's to find.
    assert "小镇" not in after[3]
    assert len({*after[2]} & {*before[2]} - {None}) < 0.02 * ROWS
    assert all(len(p.partition(".")[2]) <= 2 for p in after[2] if p)
    report = outcome.report
    assert report["closeness"]["too_close"] is False
    assert report["comparison"]["pairs_mean"] < 0.1
    assert report["columns"]["c3"]["rare_values"] == 1


def test_the_seed_makes_the_rows() -> None:
    before = people(300)
    assert cells_of(run_whole("synthesis.sequential", before)) == cells_of(
        run_whole("synthesis.sequential", before)
    )


def test_kinds_of_columns() -> None:
    def kind(values: Column, category: bool = False) -> str:
        table = whole([values])
        return learn("c", table.dictionaries[0], table.codes[0], category).kind

    assert kind(["1", "2.5", None]) == NUMBER
    assert kind(["1", "2"], category=True) == CATEGORY
    assert kind(["20240131", "20231231"]) == DATE
    assert kind(["2024-01-31", "x"]) == CATEGORY
    assert kind([None, None]) == CATEGORY


def test_dates_are_made_up_as_dates() -> None:
    days: Column = [str(d) for d in np.random.default_rng(2).integers(0, 9000, 400).astype("datetime64[D]")]
    [after] = cells_of(run_whole("synthesis.sequential", [days]))
    assert all(np.datetime64(x) <= np.datetime64(max(days)) for x in after)
    assert len({*after} & {*days}) < 100


def test_what_cannot_be_made_up() -> None:
    unique: Column = [f"name {i}" for i in range(100)]
    with pytest.raises(EngineError) as error:
        run_whole("synthesis.sequential", [unique])
    assert error.value.code == "values_all_rare"
    with pytest.raises(EngineError) as error:
        run_whole("synthesis.sequential", [["a"] * 19])
    assert error.value.code == "rows_too_few"
    with pytest.raises(EngineError) as error:
        run_whole("synthesis.sequential", [["a"] * 50], categories=["x"])
    assert error.value.code == "not_in_step"


def close(before: list[Column], made: list[Column]) -> bool:
    table, other = whole(before), whole(made)
    learned = [
        learn(str(i), d, c, False)
        for i, (d, c) in enumerate(zip(table.dictionaries, table.codes, strict=True))
    ]
    parts = split(SECRETS, "x", table.rows, 0.2)
    cells = list(zip(other.dictionaries, other.codes, strict=True))
    lines = [
        None if c.kind == CATEGORY else learn("m", *m, False).line()
        for c, m in zip(learned, cells, strict=True)
    ]
    return closeness(learned, parts, cells, lines, SECRETS, "x").too_close


def test_copies_are_found_out_and_other_people_are_not() -> None:
    before = people()
    assert close(before, people(seed=2)) is False
    assert close(before, before) is True
    # Hidden among others, and blurred: a fifth copied, all moved by a little.
    mixed = [[*old[:900], *new[900:]] for old, new in zip(before, people(seed=2), strict=True)]
    assert close(before, mixed) is True
    blurred = [*before[:2], [None if x is None else f"{float(x) + 1:.2f}" for x in before[2]], before[3]]
    assert close(before, blurred) is True


@pytest.mark.parametrize("rows", [400, 3000])
def test_what_is_made_up_lies_anywhere_between_real_values(rows: int) -> None:
    """One column of numbers that nobody shares: no closer to them than other people's numbers are."""
    numbers: Column = [f"{x:.6f}" for x in np.random.default_rng(rows).normal(size=rows)]
    outcome = run_whole("synthesis.sequential", [numbers], held_out=0.3)
    assert 0.4 < outcome.report["closeness"]["nearer_than_held_out"] < 0.6
    assert outcome.report["closeness"]["exact_match_share"] < 0.05
    made = np.array(cells_of(outcome)[0], dtype=float)
    assert abs(made.std() - 1) < 0.1


def test_a_fit_that_is_too_close_is_told_or_stops_the_run() -> None:
    # Ten columns that determine each other: leaves of five rows learn them by heart.
    draw = np.random.default_rng(5)
    columns: list[Column] = [[str(x) for x in draw.integers(0, 3, 400)] for _ in range(9)]
    figures = run_whole("synthesis.sequential", columns, leaf_rows=5, held_out=0.3).report["closeness"]
    assert figures["too_close"] is ("warning" in figures)
    same = [["a", "b"] * 200, [str(i // 5) for i in range(400)], [str(i // 5 * 7) for i in range(400)]]
    settings_ = {"leaf_rows": 5, "categories": ["c1", "c2"], "minimum_count": 1, "held_out": 0.5}
    assert run_whole("synthesis.sequential", same, **settings_).report["closeness"]["exact_match_share"] > 0


# -- noise ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize("scale", [0.7, 3.0, 40.0])
def test_noise_is_what_it_says_to_the_last_bit(kind: str, scale: float) -> None:
    noise = Noise(kind, scale)
    table = [0, *noise._table.tolist(), 2**BITS]
    chances = [b - a for a, b in pairwise(table)]
    middle = len(chances) // 2
    with localcontext() as context:
        context.prec = 60
        size = Decimal(repr(scale))

        def weight(k: int) -> Decimal:
            return (-abs(k) / size if kind == "laplace" else -(k * k) / (2 * size * size)).exp()

        total = sum(weight(k) for k in range(-middle, middle + 1))
        off = [abs(chances[k + middle] - weight(k) / total * 2**BITS) for k in range(-middle, middle + 1)]
    # A bit or two of 63 everywhere, and what lies beyond the table at its ends.
    assert max(off) <= 3
    assert noise.error < 1e-14
    draws = noise.draw(SECRETS, "x", 20_000)
    assert abs(draws.mean()) < 5 * scale * 1.5 / math.sqrt(20_000)
    spread = scale * (math.sqrt(2) if kind == "laplace" else 1)
    assert abs(draws.std() / spread - 1) < 0.1 or scale < 1


def test_threshold_of_values_that_one_row_has() -> None:
    for kind in ("laplace", "gaussian"):
        noise = Noise(kind, 5.0)
        for delta in (1e-3, 1e-9):
            least = noise.threshold(delta)
            middle = len(noise._table) // 2

            def above(t: int, noise: Noise = noise, middle: int = middle) -> float:
                """P(1 + X >= t) by symmetry."""
                return float(noise._table[middle - (t - 1)] / 2**BITS)

            assert above(least) <= delta < above(least - 1)


def test_the_exponential_mechanism() -> None:
    drawn = Counter(choose(SECRETS, f"x{i}", [0, 10, 20], 0.1) for i in range(4000))
    weights = [math.exp(0.1 * s) for s in (0, 10, 20)]
    assert all(abs(drawn[i] / 4000 - w / sum(weights)) < 0.03 for i, w in enumerate(weights))
    assert choose(SECRETS, "x", [5], 1.0) == 0


@given(st.lists(st.integers(-50, 200), min_size=1, max_size=30), st.integers(1, 500))
@settings(max_examples=50)
def test_counts_become_possible_ones(noisy: list[int], total: int) -> None:
    found = project(np.array(noisy, dtype=float), total)
    assert found.min() >= 0
    assert abs(found.sum() - total) < 1e-6
    assert np.all(np.diff(found[np.argsort(noisy)]) >= -1e-9), "order stays"


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("most", [None, 7])
def test_no_more_is_spent_than_was_granted(columns: int, epsilon: float, most: int | None) -> None:
    """Nor where all rows of a person are exchanged at once: sums of changes grow with them, those of squares by theirs."""
    budget = Budget(epsilon, 1e-9, columns, columns, most)
    rows = most or 1
    budget.spend("columns", columns)
    if columns > 2:
        budget.spend("choices", columns - 1, cells=columns)
    if columns > 1:
        budget.spend("pairs", columns - 1)
    said = budget.as_dict()
    assert epsilon * 0.999 < said["epsilon"] <= epsilon * (1 + 1e-9)
    # Rounding adds a little, and more to the longer tables of greater noise.
    assert 5e-10 <= said["delta"] < 1.001e-9 + 1e-11 * (rows - 1)
    # The scales are those of the costs: an exchange of a row is 2 in the sum, and 2 in the sum of squares.
    cost = {entry["what"]: entry["each"] for entry in said["ledger"]}
    for what, noise in (("columns", budget.single), ("pairs", budget.pair)):
        if what in cost:
            expected = (
                2 * rows / noise.scale if budget.kind == "laplace" else 2 * rows**2 / (2 * noise.scale**2)
            )
            assert cost[what] == pytest.approx(expected, rel=1e-4)
    if "choices" in cost and budget.kind == "laplace":
        assert budget.choice_rate == pytest.approx(cost["choices"] / 4 / rows, rel=1e-4)
    assert said.get("rows_of_person") == most
    assert ("person" in said["neighbours"]) == (most is not None)


# -- private synthesis --------------------------------------------------------------------------

DOMAINS = {"c0": "18..80", "c1": "男|女", "c2": "0..15000"}


def test_private_rows_are_alike_and_say_what_they_cost() -> None:
    outcome = run_whole("synthesis.private", people(), epsilon=4.0, domains=DOMAINS)
    after = cells_of(outcome)
    assert outcome.report["epsilon"] == pytest.approx(4.0, rel=1e-6)
    assert outcome.report["closeness"]["too_close"] is False
    assert outcome.report["not_covered_by_epsilon"] == ["closeness", "comparison"]
    assert abs(shares(after[1])["男"] - 0.6) < 0.05
    known = [(float(a), float(p)) for a, p in zip(after[0], after[2], strict=True) if a and p]
    assert np.corrcoef(np.array(known).T)[0, 1] > 0.5
    assert set(after[3]) <= {"北京", "上海", "广州", None}
    assert all(18 <= int(a) <= 80 for a in after[0] if a)


def test_more_noise_for_a_smaller_epsilon() -> None:
    wide, narrow = (
        run_whole("synthesis.private", people(), epsilon=e, domains=DOMAINS).report["comparison"][
            "pairs_mean"
        ]
        for e in (0.2, 20.0)
    )
    assert wide > 2 * narrow


def test_a_value_of_one_row_does_not_come_out() -> None:
    columns: list[Column] = [["a"] * 500 + ["nobody else"]]
    made = operation("synthesis.private", {"epsilon": 2.0}, 501, ("c0",))
    for seed in range(20):
        made.context = Context(0, ("c0",), 501, Secrets(b"", seed))
        assert set(cells_of(made.treat(whole(columns), lambda share: None))[0]) <= {"a", None}


def test_a_value_of_all_rows_of_one_person_does_not_come_out() -> None:
    """Forty rows, or forty values of a row each, are one person's; by rows the value comes out."""
    of_one = np.append(np.arange(3000), np.full(40, 3000)).astype(np.int32)
    mine: list[Column] = [["mine"] * 40, [f"mine {i}" for i in range(40)]]
    for values, subjects, hidden in (
        (mine[0], of_one, True),
        (mine[1], of_one, True),
        (mine[0], None, False),
    ):
        table = replace(whole([["a"] * 3000 + values]), subjects=subjects)
        made = operation("synthesis.private", {"epsilon": 4.0}, 3040, ("c0",))
        for seed in range(10):
            made.context = Context(0, ("c0",), 3040, Secrets(b"", seed))
            outcome = made.treat(table, lambda share: None)
            assert (set(cells_of(outcome)[0]) <= {"a", None}) == hidden
            assert outcome.report.get("rows_of_person") in ({40, 1} if hidden else {None})


def test_persons_are_held_out_whole_and_too_few_are_refused() -> None:
    subjects = np.repeat(np.arange(100), 5).astype(np.int32)
    train, held = split(SECRETS, "x", 500, 0.1, subjects)
    assert sorted([*train, *held]) == list(range(500))
    assert len(held) == 50
    assert not set(subjects[train]) & set(subjects[held])
    with pytest.raises(EngineError, match="persons"):
        split(SECRETS, "x", 500, 0.1, subjects % 19)
    with pytest.raises(EngineError, match="Noise"):
        Budget(0.1, 1e-9, 10, 10, 100_000)


def test_a_category_of_one_person_is_not_made_up() -> None:
    columns: list[Column] = [["a"] * 500 + ["mine"] * 40]
    subjects = np.append(np.arange(500), np.full(40, 500)).astype(np.int32)
    made = operation("synthesis.sequential", {}, 540, ("c0",))
    assert "mine" in cells_of(made.treat(whole(columns), lambda share: None))[0]
    by_person = made.treat(replace(whole(columns), subjects=subjects), lambda share: None)
    assert set(cells_of(by_person)[0]) == {"a"}


def test_known_domains_do_not_come_from_the_data() -> None:
    """Values that nobody has may come out, and what is in no domain becomes missing."""
    columns: list[Column] = [["A"] * 60 + ["X"] * 60, ["5"] * 120]
    after = cells_of(
        run_whole(
            "synthesis.private", columns, epsilon=1.0, domains={"c0": "A|B", "c1": "0..9"}, held_out=0.2
        )
    )
    assert set(after[0]) <= {"A", "B", None}
    assert None in after[0]
    assert all(0 <= int(x) <= 9 for x in after[1] if x)
    assert domain_of("2020-01-01..2020-12-31")[0] == "dates"
    dates: list[Column] = [["2020-03-05"] * 100]
    [made] = cells_of(
        run_whole("synthesis.private", dates, domains={"c0": "2020-01-01..2020-12-31"}, intervals=12)
    )
    assert {str(x)[:4] for x in made if x} == {"2020"}
    for text in ("5..1", "A", "A||B", "A|A", "x..y"):
        with pytest.raises(ValidationError):
            PrivateSynthesisSettings(domains={"c0": text})


DOMAINS_OF = {
    1: {"c0": "18..80"},
    2: {"c0": "18..80"},
    3: {"c0": "18..80", "c2": "0..15000"},
}


def test_neither_one_nor_two_columns_need_a_tree() -> None:
    for width in (1, 2, 3):
        outcome = run_whole("synthesis.private", people()[:width], domains=DOMAINS_OF[width], epsilon=3.0)
        assert len(outcome.report["pairs"]) == width - 1
    with pytest.raises(EngineError) as error:
        run_whole("synthesis.private", [[f"n{i}" for i in range(200)]])
    assert error.value.code == "domain_empty"


def test_another_seed_another_noise() -> None:
    first = Noise("laplace", 9.0).draw(Secrets(b"", 1), "x", 50).tolist()
    assert first != Noise("laplace", 9.0).draw(Secrets(b"", 2), "x", 50).tolist()
    assert first == Noise("laplace", 9.0).draw(Secrets(b"", 1), "x", 50).tolist()


# -- identifiers --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["id_number", "bank_card", "phone", "name", "address"])
def test_made_up_identifiers(kind: str) -> None:
    values = [f"value {i}" for i in range(500)]
    made = [str(x) for x in apply("synthesis.identifier", [*values, *values[:5]], kind=kind)]
    assert len(set(made)) == 500
    assert made[500:] == made[:5], "equal values stay equal"
    if kind == "id_number":
        assert all(map(is_id_number, made))
        assert all(is_valid(x) for x in made[:40]), "by another's list of counties"
        assert all(x[6:14] < "2025" for x in made)
    if kind == "bank_card":
        assert all(luhn(x) and len(x) == 16 and x.startswith("62") for x in made)
    if kind == "phone":
        assert all(phonenumbers.is_valid_number(phonenumbers.parse(x, "CN")) for x in made)
    if kind == "name":
        assert all(x[0] in SURNAMES and 2 <= len(x) <= 3 and set(x[1:]) <= set(GIVEN) for x in made)
    # What stands in the column is passed over, so that nobody gets the number of another.
    again = apply("synthesis.identifier", made[:500], kind=kind)
    assert not {*again} & {*made}


def test_the_adult_census(real_data_dir: Path) -> None:
    """Real rows: ten columns stay alike in every pair, and the default fit is not too close."""
    with (real_data_dir / "adult_full.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1::3]
    columns: list[Column] = [[row[i] for row in rows] for i in (0, 1, 3, 5, 6, 8, 9, 10, 12, 14)]
    report = run_whole("synthesis.sequential", columns).report
    assert report["comparison"]["pairs_mean"] < 0.04
    assert max(report["comparison"]["columns"].values()) < 0.05
    assert report["closeness"]["too_close"] is False
    private = run_whole(
        "synthesis.private", columns, domains={"c0": "17..90", "c8": "1..99", "c7": "0..99999"}
    ).report
    assert private["comparison"]["pairs_mean"] < 0.2
    assert private["closeness"]["nearer_than_held_out"] < 0.5


def test_a_leaf_of_the_tree_is_of_so_many_persons_where_they_are_known():
    """Visits in runs of ten a patient: fifty rows are those of five patients, and no leaf may rest on these."""
    import techniques.families.synthesis.kernels as kernels
    from techniques.families.synthesis.sequential import _weights

    rows, leaf = 2000, 50
    who = np.repeat(np.arange(rows // 10), 10).astype(np.int32)
    age = (who % 50).astype(np.uint8)[None, :]
    pay = (who % 50).astype(np.uint8)

    def persons_of_leaves(whose):
        order, nodes = np.arange(rows, dtype=np.int64), np.full((2 * (rows // leaf) + 3, 6), -1, np.int64)
        used = kernels.grow(age, pay, _weights(whose), 50, 50, leaf, order, nodes)
        ends = nodes[:used][nodes[:used, kernels.FEATURE] < 0]
        return [len(set(who[order[a:b]])) for a, b in ends[:, kernels.FIRST :]]

    assert min(persons_of_leaves(None)) < leaf
    found = persons_of_leaves(who)
    assert len(found) > 1
    assert min(found) >= leaf
