"""Answers of a form are joined by the key of persons; who did not answer is counted and gets the default."""

from __future__ import annotations

import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.models.personalized.answers import LEVEL_COLUMN, Answers, Joining, level_column


def batches(**columns):
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()}).to_batches(
        max_chunksize=3
    )


DATA = {"id": ["a", "b", "b", "c", None, " d "], "ill": ["x", "y", "y", "z", "x", "y"]}


def joined(default=0, **answers):
    joining = Joining(Answers.read(batches(**answers), ["id"]), default)
    rows = pa.Table.from_batches(list(joining.joined(batches(**DATA)))).to_pydict()
    assert {name: rows[name] for name in DATA} == DATA
    return rows[LEVEL_COLUMN], joining.counts()


def test_each_record_has_the_level_of_its_person() -> None:
    levels, counts = joined(id=["b", "d", "x", "a", "c"], protection_level=["2", "3", "1", "", "high"])
    assert levels == ["", "2", "2", "", "", "3"]
    # Four persons: b and d answered; a ticked nothing, and c wrote no level. x is nobody of the table.
    assert counts.model_dump() == {
        "records": 6, "persons": 4, "answered": 2, "missing": 2, "without_key": 1, "strangers": 1, "repeated": 0,
        "unreadable": 1,
    }  # fmt: skip


def test_who_did_not_answer_gets_the_default() -> None:
    levels, counts = joined(default=3, id=["b"], protection_level=["1"])
    assert levels == ["3", "1", "1", "3", "3", "3"]
    assert (counts.answered, counts.missing) == (1, 3)


def test_strangers_are_who_answered_and_has_no_record() -> None:
    _levels, counts = joined(id=["a", "b", "c", "x"], protection_level=["1", "2", "3", "4"])
    assert (counts.answered, counts.strangers) == (3, 1)


def test_of_several_answers_the_highest_counts() -> None:
    levels, counts = joined(id=["b", "b", "b"], protection_level=["2", "4", "3"])
    assert levels[1:3] == ["4", "4"]
    assert counts.repeated == 2


def test_what_cannot_be_joined_is_refused() -> None:
    for wrong in ({"nr": ["a"], "protection_level": ["1"]}, {"id": ["a"], "level": ["1"]}):
        with pytest.raises(EngineError) as refused:
            Answers.read(batches(**wrong), ["id"])
        assert refused.value.code == "unknown_column"
    for level in (-1, 101):
        with pytest.raises(EngineError):
            Joining(Answers(("id",)), level)
    assert [Joining(Answers(("id",)), level).default for level in (0, 100)] == [0, 100]
    joining = Joining(Answers(("id",)), 0)
    with pytest.raises(EngineError) as refused:
        list(joining.joined(batches(id=["a"], protection_level=["1"])))
    assert refused.value.code == "column_exists"


def test_a_further_attribute_has_levels_of_its_own():
    table = batches(id=["a", "b"], protection_level=["1", ""])
    answers = Answers.read(batches(id=["b"], protection_level_income=["3"]), ["id"])
    (made,) = Joining(answers, 0).joined(table)
    assert made.schema.names == ["id", "protection_level", "protection_level_income"]
    assert made.column("protection_level_income").to_pylist() == ["", "3"]
    assert level_column(["id"], "income") == "protection_level"
    assert level_column(["id", "protection_level"], "income") == "protection_level_income"
    with pytest.raises(EngineError, match="protection_level, protection_level_income"):
        Answers.read(batches(id=["a"], protection_level=["1"], protection_level_income=["2"]), ["id"])
