"""Which persons a released row may be of: every combination against every combination, in whatever blocks."""

from __future__ import annotations

import itertools

import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases import covers
from techniques.disclosure_risk.releases.covers import Combinations, Cover, known_columns

LABELS = {"0": "0", "[0,2)": "01", "[1,3]": "123", "*": "0123", None: "0123", "": "0123"}


def table(*columns: list[str | None], names: str = "abc") -> pa.Table:
    return pa.table({name: pa.array(one, pa.string()) for name, one in zip(names, columns, strict=False)})


def written(of: Combinations) -> list[tuple[str | None, ...]]:
    """What each combination says, column by column."""
    return [
        tuple(
            values[code].as_py() if code >= 0 else None for values, code in zip(of.values, row, strict=True)
        )
        for row in of.codes.T.tolist()
    ]


def test_rows_that_agree_are_one_combination_and_an_empty_text_is_missing() -> None:
    found = Combinations.of(table(["x", "", None, "x", "y"], ["1", "2", "2", "1", None]), ["a", "b"])
    assert (found.number, found.columns) == (3, ("a", "b"))
    assert [written(found)[place] for place in found.of_row] == [
        ("x", "1"), (None, "2"), (None, "2"), ("x", "1"), ("y", None),
    ]  # fmt: skip
    none = Combinations.of(table(["x", "y"]), [])
    assert (none.number, none.of_row.tolist(), none.tells_nothing().tolist()) == (1, [0, 0], [True])


def test_what_is_empty_or_a_star_in_every_column_tells_nothing() -> None:
    cells: list[str | None] = ["*", None, "x"]
    pairs = list(itertools.product(cells, repeat=2))
    found = Combinations.of(table([a for a, _b in pairs], [b for _a, b in pairs]), ["a", "b"])
    assert found.number == 9
    blank = found.tells_nothing()
    assert [place for place, one in enumerate(written(found)) if blank[place]] == [
        place for place, one in enumerate(written(found)) if "x" not in one
    ]
    starless = Combinations.of(table(["x", None], [None, None]), ["a", "b"])
    assert {one: bool(blank) for one, blank in zip(written(starless), starless.tells_nothing(), strict=True)} == {
        ("x", None): False, (None, None): True,
    }  # fmt: skip


def test_columns_of_which_a_row_says_something() -> None:
    rows = table(["*", None, ""], ["*", "x", None], [None, None, None])
    assert known_columns(rows, ["a", "b", "c", "d"]) == {"b"}


@pytest.mark.parametrize("room", [1, 12, 13, 50, 10**6])
def test_a_release_fits_what_its_cells_cover_in_blocks_of_any_size(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covers, "_BLOCK", room)
    values = ["0", "1", "2", "3", None]
    known = list(itertools.product(values, repeat=2))
    source = Combinations.of(table([a for a, _b in known], [b for _a, b in known], names="ab"), ["a", "b"])
    labels = list(itertools.product(LABELS, ["0", "[1,3]", "*"]))
    released = Combinations.of(
        table([b for _a, b in labels], [a for a, _b in labels], names="ba"), ["b", "a"]
    )

    def fits(label: str | None, value: str | None) -> bool:
        return label in ("*", None) or (value is not None and value in LABELS[label])

    blocks = list(Cover(source, released, {}).pairs())
    pairs = [pair for here, there in blocks for pair in zip(here.tolist(), there.tolist(), strict=True)]
    wanted = [
        (place, at)
        for place, (a, b) in enumerate(written(source))
        for at, (second, first) in enumerate(written(released))
        if fits(first, a) and fits(second, b)
    ]
    assert pairs == wanted
    assert len(blocks) == -(-source.number // max(1, room // released.number))


def test_what_stands_for_no_value_is_counted_and_what_is_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Combinations.of(table(["1", "2", "3"]), ["a"])
    released = Combinations.of(table(["1", "9", "[1,2]", "[7,8]", "*"]), ["a"])
    with pytest.raises(EngineError) as refused:
        Cover(source, released, {})
    assert (refused.value.code, dict(refused.value.params)) == ("label_unknown", {"column": "a", "number": 2})
    # Four rows, the missing one among them, by six columns.
    monkeypatch.setattr(covers, "_MOST_CELLS", 23)
    with pytest.raises(EngineError) as refused:
        Cover(source, released, {})
    assert (refused.value.code, dict(refused.value.params)) == ("too_many_values", {"column": "a"})
    monkeypatch.setattr(covers, "_MOST_CELLS", 24)
    with pytest.raises(EngineError) as refused:
        Cover(source, released, {})
    assert refused.value.code == "label_unknown"
