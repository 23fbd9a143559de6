"""Each sentence stands where it is true, with the figures that are true, and nowhere else."""

from __future__ import annotations

import pytest

from techniques.core.messages import filled
from tests.truth import test_parameters, unsaid
from tests.truth.sentences import ROOT, sentences, the_one
from tests.truth.statements import (
    Statement,
    of_advice,
    of_anonymize,
    of_classes,
    of_columns,
    of_commands,
    of_dates,
    of_draws,
    of_entropy,
    of_files,
    of_inference,
    of_joins,
    of_models,
    of_pages,
    of_personal_levels,
    of_persons,
    of_plans,
    of_preflight,
    of_remedies,
    of_runs,
    of_scales,
    of_solutions,
    of_targets,
    of_usefulness,
    of_utility,
    of_values,
)

GROUPS = (
    of_advice, of_anonymize, of_classes, of_columns, of_commands, of_dates, of_draws, of_entropy, of_files, of_inference, of_joins, of_models, of_pages, of_personal_levels, of_persons,
    of_plans, of_preflight, of_remedies, of_runs, of_scales, of_solutions, of_targets, of_usefulness, of_utility, of_values,
)  # fmt: skip
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


def counted() -> tuple[set[str], set[str], set[str]]:
    """(sentences with tables, sentences of a kind that needs none, statements without tables)"""
    with_tables = {one.message for group in GROUPS for one in group.STATEMENTS}
    held = [*test_parameters.SAID, *(words for beginnings in unsaid.HELD.values() for words in beginnings)]
    with_tables |= {one for one in sentences() if any(words in one for words in held)}
    other = {the_one(begins) for beginnings in unsaid.NO_STATEMENTS.values() for begins in beginnings}
    return with_tables, other, {the_one(begins) for begins in unsaid.WITHOUT_TABLES}


def test_every_sentence_has_its_tables_or_is_of_a_kind_that_needs_none() -> None:
    """A sentence that is new to the modules stands in none of these lists and fails here."""
    with_tables, other, without = counted()
    assert all((ROOT / path).is_file() for path in unsaid.HELD)
    assert not with_tables & other, "no statement, and yet with tables"
    assert not without & (with_tables | other), "has tables by now"
    assert set(sentences()) - with_tables - other == without
