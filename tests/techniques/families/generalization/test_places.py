"""GB/T 37964 C.2.4, C.2.7, C.2.8: dates by subject, positions, areas of enough people."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.places import PositionGeneralizationSettings, PositionNoiseSettings
from techniques.catalogue.randomization import DateShiftSettings
from techniques.core.messages import EngineError
from techniques.core.operations import Unfit
from techniques.core.secrets import Secrets
from techniques.families.generalization.position import squares
from tests.techniques.apply import Column, apply, cells_of, operation, run_whole, whole

NAMES = ("subject", "born", "seen")


def dates(count: int, seed: int) -> Column:
    days = np.random.default_rng(seed).integers(-20_000, 18_000, count).astype("datetime64[D]")
    return [str(day) for day in days]


@given(st.integers(0, 10**6), st.integers(0, 3), st.integers(3, 60))
@settings(max_examples=15)
def test_intervals_of_a_subject_stay(seed: int, minimum: int, most: int) -> None:
    rows = 40
    subjects: Column = [f"P{i * i % 7}" if i % 11 else None for i in range(rows)]
    columns = [subjects, dates(rows, seed), dates(rows, seed + 1)]
    outcome = run_whole(
        "randomization.date_shift", columns, NAMES, subject="subject", minimum=minimum, maximum=most
    )
    after = cells_of(outcome)
    assert after[0] == subjects
    moves = defaultdict(set)
    for row, subject in enumerate(subjects):
        moved = {
            int((np.datetime64(new[row]) - np.datetime64(old[row])).astype(int))
            for old, new in zip(columns[1:], after[1:], strict=True)
        }
        assert len(moved) == 1
        moves[subject or row] |= moved
    assert all(len(days) == 1 and minimum <= abs(min(days)) <= most for days in moves.values())
    assert outcome.report == {"subjects": 4, "rows_without_subject": 4}


def test_shifts_differ_by_subject_seed_and_domain_only() -> None:
    subjects: Column = [f"P{i}" for i in range(200)]
    columns = [subjects, ["2020-02-29"] * 200]

    def moved(order: int = 1, **parameters: str) -> dict[str | None, str | None]:
        given_columns = [column[::order] for column in columns]
        outcome = run_whole("randomization.date_shift", given_columns, ("s", "d"), subject="s", **parameters)
        return dict(zip(*cells_of(outcome), strict=True))

    assert moved() == moved(order=-1), "the place of a row does not matter, so tables agree"
    assert moved() == moved(domain="s")
    assert moved() != moved(domain="other")
    assert len(set(moved().values())) > 100


def test_dates_that_are_none() -> None:
    columns = [["a", "b", "c"], ["2020-01-01", "2020-01", None]]
    with pytest.raises(Unfit) as error:
        run_whole("randomization.date_shift", columns, ("s", "d"), subject="s")
    assert error.value.positions.tolist() == [1]
    after = cells_of(
        run_whole("randomization.date_shift", columns, ("s", "d"), subject="s", unfit="suppress")
    )
    assert [value is None for value in after[1]] == [False, True, True]
    with pytest.raises(EngineError, match="subject"):
        run_whole("randomization.date_shift", columns, ("s", "d"), subject="x")
    with pytest.raises(ValidationError):
        DateShiftSettings(subject="s", minimum=9, maximum=8)


def metres(
    north: np.ndarray, east: np.ndarray, north_after: np.ndarray, east_after: np.ndarray
) -> np.ndarray:
    """Distance on a sphere (haversine)."""
    a, b, c, d = (np.radians(x) for x in (north, north_after, east, east_after))
    h = np.sin((b - a) / 2) ** 2 + np.cos(a) * np.cos(b) * np.sin((d - c) / 2) ** 2
    return 2 * 6_378_000 * np.arcsin(np.sqrt(h))


def grid(rows: int, seed: int) -> tuple[list[Column], np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    north, east = draw.uniform(18, 53, rows).round(6), draw.uniform(74, 134, rows).round(6)
    return [[f"{x:.6f}" for x in north], [f"{x:.6f}" for x in east]], north, east


PLACE = {"latitude": "c0", "longitude": "c1"}


@pytest.mark.parametrize(("surroundings", "limit"), [("town", 100), ("country", 5000)])
def test_positions_move_as_far_as_they_may(surroundings: str, limit: int) -> None:
    """C.2.8: about 100 m in the centre, 5 km elsewhere."""
    columns, north, east = grid(2000, 3)
    after = cells_of(run_whole("randomization.position_noise", columns, surroundings=surroundings, **PLACE))
    moved = metres(north, east, *(np.array(column, dtype=float) for column in after))
    assert moved.max() <= limit * 1.005 + 2
    assert moved.min() >= limit * 0.1 - 2
    # Uniform over the ring: half of the area lies beyond the root of half of it.
    assert abs((moved > limit * np.sqrt((1 + 0.01) / 2)).mean() - 0.5) < 0.05


def test_town_and_country_by_column_and_by_rows() -> None:
    columns, north, east = grid(300, 4)
    kinds: Column = ["城区" if i % 2 else "农村" for i in range(300)]
    outcome = run_whole(
        "randomization.position_noise", [*columns, kinds], surroundings="column", surroundings_column="c2",
        town_values=["城区"], **PLACE,
    )  # fmt: skip
    after = cells_of(outcome)
    moved = metres(north, east, *(np.array(column, dtype=float) for column in after[:2]))
    assert after[2] == kinds
    assert moved[1::2].max() < 103 < 480 < moved[::2].min()
    assert outcome.report == {"rows_moved": 300, "rows_in_town": 150}
    crowd = [["31.2304"] * 50 + ["40"], ["121.4737"] * 50 + ["100"]]
    counted = run_whole("randomization.position_noise", crowd, surroundings="rows", town_rows=50, **PLACE)
    assert counted.report["rows_in_town"] == 50


def test_rows_at_one_place_and_tracks() -> None:
    crowd: list[Column] = [["31.2304"] * 50, ["121.4737"] * 50, ["a"] * 50]
    alike = cells_of(run_whole("randomization.position_noise", crowd[:2], **PLACE))
    assert len(set(alike[0])) == 1, "the mean of many rows tells nothing"
    apart = cells_of(run_whole("randomization.position_noise", crowd[:2], repeated="apart", **PLACE))
    assert len(set(apart[0])) > 40
    track = [["31.1", "31.2", "31.2", "31.3"], ["121"] * 4, ["a", "a", "b", None]]
    outcome = run_whole("randomization.position_noise", track, subject="c2", **PLACE)
    assert outcome.report["subjects_with_several_positions"] == 1


def test_positions_that_are_none() -> None:
    columns: list[Column] = [["31.5", "95", None, "x"], ["121", "100", "100", "100"]]
    with pytest.raises(Unfit):
        run_whole("randomization.position_noise", columns, **PLACE)
    after = cells_of(run_whole("randomization.position_noise", columns, unfit="suppress", **PLACE))
    assert [[value is None for value in column] for column in after] == [[False, True, True, True]] * 2
    with pytest.raises(ValidationError):
        PositionNoiseSettings(latitude="a", longitude="a")
    with pytest.raises(ValidationError):
        PositionNoiseSettings(latitude="a", longitude="b", surroundings="column")
    with pytest.raises(ValidationError):
        PositionGeneralizationSettings(latitude="a", longitude="a")


@given(st.integers(0, 10**6), st.integers(1, 400), st.integers(2, 60))
@settings(max_examples=30)
def test_every_area_has_enough_people(seed: int, rows: int, needed: int) -> None:
    draw = np.random.default_rng(seed)
    # Towns and lonely places.
    down = (
        np.where(
            draw.random(rows) < 0.8, draw.normal(121_000_000, 50_000, rows), draw.uniform(0, 179e6, rows)
        )
    ).astype(np.int64)
    right = (
        np.where(
            draw.random(rows) < 0.8, draw.normal(301_000_000, 50_000, rows), draw.uniform(0, 359e6, rows)
        )
    ).astype(np.int64)
    if rows < needed:
        return
    size = squares(down, right, needed)
    counts = defaultdict(int)
    for cell in zip(down // size, right // size, size, strict=True):
        counts[cell] += 1
    assert min(counts.values()) >= needed
    # Squares do not overlap: a larger one holds no row that has a smaller one.
    for a, b, side in list(counts):
        inside = (down // side == a) & (right // side == b)
        assert (size[inside] == side).all()


def test_areas_of_20000_people() -> None:
    town = 30_000
    columns: list[Column] = [
        [f"{31 + i % 300 / 1e5:.5f}" for i in range(town)] + ["45.5"] * 9,
        [f"{121 + i % 200 / 1e5:.5f}" for i in range(town)] + ["85.5"] * 9,
    ]
    # The nine far away cannot have an area of their own, so the whole stays one.
    lonely = run_whole("generalization.position", columns, minimum_people=20_001, **PLACE)
    assert lonely.report["areas"] == 1
    alone = run_whole("generalization.position", [c[:town] for c in columns], minimum_people=20_001, **PLACE)
    assert alone.report == {
        "areas": 1, "fewest_people": 30_000, "largest_area_degrees": 0.015625, "smallest_area_degrees": 0.015625,
    }  # fmt: skip
    after = cells_of(alone)
    assert set(after[0]) == {"[31,31.015625)"}
    middle = run_whole("generalization.position", [c[:town] for c in columns], result="centre", **PLACE)
    assert set(cells_of(middle)[0]) == {"31.007812"}
    sample = run_whole("generalization.position", [c[:300] for c in columns], people_per_row=100.0, **PLACE)
    assert sample.report["fewest_people"] == 30_000
    with pytest.raises(EngineError) as error:
        run_whole("generalization.position", [["1"], ["2"]], **PLACE)
    assert error.value.code == "people_too_few"


def test_divisions_of_enough_people() -> None:
    values = ["江西省吉安市安福县安平路1号", "江西省南昌市东湖区八一路1号", "北京市海淀区清华园1号"]
    people = {"江西省吉安市安福县": 400_000, "江西省南昌市": 6_000_000, "北京市海淀区": "3100000"}
    assert apply("generalization.region", values, unit="county", minimum_people=1_000_000, populations=people) == [
        "江西省", "江西省南昌市", "北京市海淀区",
    ]  # fmt: skip
    codes = ["360829", "360102"]
    people = {"360800": 4_400_000, "360100": 10}
    assert apply("generalization.region", codes, unit="county", form="code", minimum_people=20_001, populations=people) == [
        "360800", "360000",
    ]  # fmt: skip


def test_addresses_in_part() -> None:
    masked = apply(
        "suppression.mask_identifier",
        [
            "江西省吉安市安福县安平路1号",
            "云南省大理白族自治州大理市1号",
            "北京市海淀区清华园1号",
            "江西省",
            "某处",
        ],
        kind="address",
    )
    assert masked == ["江西省XX市XX县", "云南省XX州XX市", "北京市XX区", "江西省", "**"]


def test_shift_is_of_the_seed() -> None:
    made = operation("randomization.date_shift", {"subject": "s"}, 2, ("s", "d"))
    table = whole([["a", "b"], ["2020-01-01", "2020-01-01"]])
    first = cells_of(made.treat(table, lambda share: None))
    made.context = type(made.context)(0, ("s", "d"), 2, Secrets(b"", 8))
    assert cells_of(made.treat(table, lambda share: None)) != first
