"""Each sentence stands where it is true, with the figures that are true, and nowhere else."""

from __future__ import annotations

import pytest

from techniques.core.messages import filled
from tests.truth.statements import Statement, of_classes, of_files, of_runs, of_scales, of_values

GROUPS = (of_classes, of_files, of_runs, of_scales, of_values)
STATEMENTS = [
    pytest.param(one, group, id=f"{group.__name__.rpartition('.')[2]}-{one.begins[:60]}")
    for group in GROUPS
    for one in group.STATEMENTS
]


@pytest.mark.parametrize(("statement", "group"), STATEMENTS)
def test_a_sentence_is_said_of_the_tables_on_which_it_is_true(statement: Statement, group: object) -> None:
    truths = set()
    for name in statement.tables:
        table = group.judge(name)
        true = {filled(statement.message, params) for params in statement.true(table)}
        assert table.says(statement.message) == true, name
        truths.add(frozenset(true))
    assert len(truths) > 1, "no two tables of which not the same is true"
