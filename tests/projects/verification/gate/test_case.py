"""What a verification judges, and what it reads of both files."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from projects.verification.gate.both import BothFiles
from projects.verification.gate.case import Table, own_cases
from projects.verification.gate.check import TableSubject
from projects.verification.gate.checks.k import PERSON_SIGNS
from projects.verification.gate.checks.losses.utility import _column
from projects.verification.gate.checks.parameters import Parameters
from projects.verification.gate.checks.presence import Presence
from projects.verification.gate.classes import attribute_of, classes_of
from projects.verification.gate.measurement import measure
from projects.verification.gate.population import _treatment
from projects.verification.gate.residue import residue_scan
from projects.verification.gate.risk import _rows_tick, measure_risk
from projects.verification.gate.sensitive import attributes_of
from projects.verification.gate.suppressed import suppressed_of
from techniques.core.attributes import AttributeRole
from techniques.data_utility.measure import ColumnComparison
from techniques.data_utility.targets import MeanChange
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from tests.projects.verification.gate.checks.test_checks import clinic

NAMED = {
    "id": AttributeRole.DIRECT_IDENTIFIER,
    "q": AttributeRole.QUASI_IDENTIFIER,
    "s": AttributeRole.SENSITIVE_ATTRIBUTE,
    "o": AttributeRole.OTHER,
    "p": AttributeRole.OTHER,
}


def test_what_names_somebody_is_read_although_the_result_has_it_no_more():
    """The other columns of the source are read as far as they are left: nothing else can be laid beside them."""
    case = clinic("id,q,s,o,p\nA,1,x,m,u\nB,2,y,n,v\n", "q,s,o\n1,x,m\n2,y,n\n")
    both = BothFiles.read(replace(case, roles=NAMED))
    assert (list(both.source), both.direct, list(both.result)) == (
        ["id", "q", "s", "o"],
        ["id"],
        ["q", "s", "o"],
    )
    assert list(both.outside_quasi()) == ["s", "o"]


@pytest.mark.parametrize(
    ("severities", "left", "threshold"),
    [
        ({}, {}, 0.5),
        ({"s": "low"}, {"s": "low"}, 0.1),
        ({"gone": "high"}, {}, 0.5),
        # The most harmful first, of the same harm as they stand in the result.
        (
            {"o": "low", "gone": "high", "p": "medium", "s": "low"},
            {"p": "medium", "s": "low", "o": "low"},
            0.075,
        ),
        ({"p": "high", "s": "low"}, {"p": "high", "s": "low"}, 0.05),
    ],
)
def test_the_harm_of_what_is_left_in_the_result_counts(severities, left, threshold):
    case = clinic("q,s,o,p,gone\n1,x,m,u,z\n", "q,s,o,p\n1,x,m,u\n", overall_threshold=0.5)
    case = replace(case, severities=severities)
    assert list(case.severities_left().items()) == list(left.items())
    assert case.at_severity().risk.overall_threshold == threshold


@pytest.mark.parametrize(
    "rows",
    [
        [("", ""), ("", "b"), ("a", ""), ("a", "b")],
        [("", "b"), ("a", ""), ("", "b"), ("a", ""), ("", "")],
        [("a", "x"), ("b", "y"), ("c", ""), ("a", "y"), ("b", "x"), ("", "x"), ("c", ""), ("b", "y")],
    ],
)
def test_rows_are_of_one_class_where_all_cells_agree_missing_ones_too(rows):
    text = "q,s,o\n" + "".join(f"{q},{s},1\n" for q, s in rows)
    both = BothFiles.read(clinic(text, text))
    found = classes_of([both.result["q"], both.result["s"]]).tolist()
    assert {*found} == {*range(len({*rows}))}
    assert len({*zip(found, rows, strict=True)}) == len({*rows})


def test_a_person_with_and_without_a_value_has_that_value():
    """In what the classes are held against each person weighs one, unknown only where no row says anything."""
    text = "q,s,o\n1,x,A\n1,,A\n1,y,B\n1,,C\n1,x,D\n1,y,D\n"
    column = BothFiles.read(clinic(text, text)).result["s"]
    whose = np.array([0, 0, 1, 2, 3, 3], np.int32)
    found = attribute_of(column, None, whose)
    assert found.texts.to_pylist() == ["x", "y"]
    assert found.reference.tolist() == [0.25, 0.375, 0.375]
    assert (found.strange, found.unknown, found.total) == (0, 2, np.inf)
    assert attribute_of(column, None).reference.tolist() == [2 / 6, 2 / 6, 2 / 6]


@pytest.mark.parametrize(
    ("before", "after", "cells"),
    [
        (["1", "1", "2", "2"], ["1", "1", "2", "2"], 0),
        (["1", "1", "2", "2"], ["1", "1", "*", ""], 2),
        # A column that is hidden throughout is gone as a column.
        (["1", "1", "2", "2"], ["*", "", "*", "*"], 0),
        (["1", "1", "2", "2"], ["", "", "", ""], 0),
        # What the source does not say was not taken away.
        (["1", "*", "", "2"], ["1", "*", "", "2"], 0),
        (["1", "*", "", "2"], ["1", "*", "", ""], 1),
        (["", "", "2", "2"], ["", "2"], 0),
        (["", "", "2", "2"], ["", ""], 0),
        (["", "2", "2", "2"], ["", "", "2"], 1),
    ],
)
def test_cells_that_were_emptied_are_those_beyond_what_was_missing(before, after, cells):
    """The other quasi-identifier stands everywhere, so no record is a row of stars."""

    def text(values):
        return "q,s,o\n" + "".join(f"{one},x,1\n" for one in values)

    case = clinic(text(before), text(after))
    case = replace(case, roles=NAMED | {"o": AttributeRole.QUASI_IDENTIFIER})
    assert suppressed_of(TableSubject(case)).cells == cells


def hashes(*cells):
    """The columns that are named as hashes of unknown making, where every row is a portion by itself."""
    text = "h,q\n" + "".join(f"{cell},1\n" for cell in cells)
    case = clinic(text, text)
    rows = replace(
        case.result, prepare=lambda batches: (one.slice(n, 1) for one in batches for n in range(one.num_rows))
    )
    found = Parameters().measure(TableSubject(replace(case, result=rows)), lambda share: None)
    return [said.params["column"] for row in found for said in row.details]


MD5, SHA1 = "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709"


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        ((MD5, SHA1), True),
        ((MD5.upper(), "", MD5), True),
        (("", MD5), True),
        ((MD5, ""), True),
        ((MD5, "none"), False),
        (("none", MD5), False),
        (("", ""), False),
        ((), False),
        ((MD5[:-1],), False),
        ((MD5 + "0",), False),
        ((SHA1[:-1] + "g",), False),
        (("0" * 56, "1" * 64, "2" * 96, "3" * 128), True),
    ],
)
def test_a_column_of_hashes_is_named_wherever_its_missing_cells_stand(cells, named):
    assert hashes(*cells) == (["h"] if named else [])


def test_a_star_that_the_source_has_is_no_label_of_the_model():
    """The model generalises one column up to ``*``, and the other came so: such a record tells nothing."""
    text = "q,s,o\n" + "1,x,*\n2,x,*\n" + "3,x,7\n" * 4
    result = "q,s,o\n" + "*,x,*\n" * 2 + "*,x,7\n" * 4
    roles = NAMED | {"o": AttributeRole.QUASI_IDENTIFIER}
    model = {"k": 2, "hierarchies": {"q": {"kind": "star"}}, "suppressed_rows": "remove"}
    steps = [{"technique": "model.k_anonymity", "columns": ["q"], "parameters": model}]

    def starred(steps):
        recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": steps})
        of = TableSubject(replace(clinic(text, result), roles=roles, recipe=recipe))
        measure_risk(of, ["q", "o"], lambda share: None)
        return suppressed_of(of).starred

    assert starred(steps) == 2
    both = model | {"hierarchies": {"q": {"kind": "star"}, "o": {"kind": "star"}}}
    whole = [{"technique": "model.k_anonymity", "columns": ["q", "o"], "parameters": both}]
    assert starred(whole) == 0
    # What another step does to a quasi-identifier, or to all columns, may have made the star.
    left = {"technique": "as_is", "columns": ["o"], "parameters": {"reason": "for this test"}}
    mask = {"technique": "suppression.mask", "columns": ["o"], "parameters": {"keep_left": 0}}
    other = {"technique": "suppression.mask", "columns": ["s"], "parameters": {"keep_left": 0}}
    assert [starred([*whole, one]) for one in (left, mask, other)] == [0, 2, 0]


def test_one_value_that_the_source_does_not_have_is_enough_to_have_been_changed():
    """Of such a column the source tells no distribution, so it is held against the result itself."""
    before = "q,s\n" + "1,a\n1,b\n" * 4
    for after, changed in ((before, False), (before.replace("1,b", "1,z", 1), True)):
        of = TableSubject(clinic(before, after, l=2))
        (read,) = attributes_of(of, lambda share: None).read.values()
        assert (read.changed, of.report.sensitive["s"].changed) == (changed, changed)
        assert read.attribute.reference.sum() == pytest.approx(1.0)


def treated(text, steps, **more):
    """What is to be weighed of a table that came out as it went in, by the message of each sentence."""
    case = replace(clinic(text, text), recipe=Recipe.from_data({"recipe": 1, "steps": steps}), **more)
    found = Parameters().measure(TableSubject(case), lambda share: None)
    return [said for row in found for said in row.details]


ENCRYPTED = {"technique": "encryption.deterministic", "columns": ["q"]}
LEFT = {"technique": "as_is", "columns": ["s"], "parameters": {"reason": "for this test"}}


@pytest.mark.parametrize(
    ("values", "named"),
    [
        # 5 of 100 are a twentieth, 4 of 100 less.
        ([5] + [1] * 95, {"values": 96, "share": "5 %"}),
        ([6] + [1] * 94, {"values": 95, "share": "6 %"}),
        ([4] + [1] * 96, None),
        ([100], {"values": 1, "share": "100 %"}),
        # A thousand are few enough to be told apart by their frequency, one more is not.
        ([60] + [1] * 999, {"values": 1000, "share": "5.67 %"}),
        ([60] + [1] * 1000, None),
        ([], None),
    ],
)
def test_ciphertexts_of_few_values_are_read_by_how_frequent_they_are(values, named):
    rows = "".join(f"{number},x\n" * times for number, times in enumerate(values))
    said = [
        one.params
        for one in treated("q,s\n" + rows, [ENCRYPTED, LEFT])
        if "different ciphertexts" in one.message
    ]
    assert said == ([{"column": "q", **named}] if named else [])


@pytest.mark.parametrize(
    ("step", "draws"),
    [
        (ENCRYPTED, True),
        ({"technique": "generalization.rounding", "columns": ["q"], "parameters": {"base": 10}}, False),
        (
            {"technique": "generalization.rounding", "columns": ["q"], "parameters": {"base": 10, "method": "stochastic"}},
            True,
        ),
        ({"technique": "randomization.permutation", "columns": ["q"]}, True),
        (LEFT | {"columns": ["q"]}, False),
    ],
)  # fmt: skip
def test_a_seed_is_of_weight_where_a_step_has_a_key_or_draws(step, draws):
    said = treated("q,s\n1,x\n2,y\n", [step, LEFT], same_seed=[3, 7])
    assert [one.params for one in said if "seed of run" in one.message] == (
        [{"runs": "3, 7"}] if draws else []
    )
    assert not [one for one in treated("q,s\n1,x\n2,y\n", [step, LEFT]) if "seed of run" in one.message]


def test_a_target_is_for_the_table_that_has_its_columns_and_no_others():
    """Two tables, and a target about the only column of the second."""
    target = MeanChange(column="c", bound=0.1)
    one, other = (replace(clinic(text, text), utility=[target]) for text in ("id,q\nA,1\nB,2\n", "c\n1\n2\n"))
    kept = {name: list(case.utility) for name, case in own_cases({"one": one, "other": other}).items()}
    assert kept == {"one": [], "other": [target]}
    neither = replace(one, utility=[MeanChange(column="z", bound=0.1)])
    both = own_cases({"one": neither, "other": replace(other, utility=neither.utility)})
    assert [len(case.utility) for case in both.values()] == [1, 0]


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        (AttributeRole.QUASI_IDENTIFIER, True),
        (AttributeRole.SENSITIVE_ATTRIBUTE, True),
        (AttributeRole.OTHER, True),
        (AttributeRole.DIRECT_IDENTIFIER, False),
        (None, False),
    ],
)
def test_what_may_point_to_a_person_by_itself_gets_no_picture(role, shown):
    compared = ColumnComparison.model_validate(
        {
            "column": "q",
            "missing": (0, 0),
            "suppressed": (0, 0),
            "distinct": (2, 2),
            "mean": (None, None),
            "standard_deviation": (None, None),
            "quantiles": ({}, {}),
            "total_variation": 0,
            "distribution": {"sort": "text", "minimum": 10, "bars": []},
        }
    )
    assert (_column(compared, role).distribution is not None) is shown
    assert _column(compared.model_copy(update={"distribution": None}), role).distribution is None


def test_how_far_a_measurement_is_only_grows_and_ends_at_one():
    """Each check has its part, and what reads rows goes through its half of it by the rows that it has read."""
    rows = "".join(f"{n},{n % 3},x,m,u\n" for n in range(30))
    case = clinic("id,q,s,o,p\n" + rows, "q,s,o\n" + "".join(f"{n % 3},x,m\n" for n in range(30)))
    said: list[float] = []
    measure({"": replace(case, roles=NAMED)}, [], said.append)
    assert said == sorted(said)
    assert (said[0] >= 0, said[-1]) == (True, 1.0)
    assert len(set(said)) > 5


def test_a_result_may_keep_the_columns_that_form_its_classes():
    rows = "".join(f"{n},{n % 3},x,m,u\n" for n in range(30))
    case = clinic("id,q,s,o,p\n" + rows, "q,s,o\n" + "".join(f"{n % 3},x,m\n" for n in range(30)))
    case = replace(case, roles=NAMED)
    for keep_classes, kept in ((True, {*case.quasi()}), (False, set())):
        measure({"": case}, [], lambda _done: None, keep_classes=keep_classes)
        assert {*case.result.held(case.result.columns())} == kept
        assert not case.source.held(case.source.columns())


def test_reading_for_risk_takes_half_of_its_part_by_rows():
    said: list[float] = []
    tick = _rows_tick(said.append, 0.5, 8)
    for done in (0, 2, 8, 9):
        tick(done)
    _rows_tick(said.append, 0.0, 0)(0)
    assert said == [0.5, 0.625, 1.0, 1.0, 0.5]


def test_a_column_of_a_run_without_reports_is_treated_by_its_recipe_alone():
    """What was run before steps reported anything has none: the step is repeated by its settings."""
    text = "q\n1\n12\n"
    steps = [{"technique": "generalization.rounding", "columns": ["q"], "parameters": {"base": 10}}]
    recipe = Recipe.from_data({"recipe": 1, "steps": steps})
    case = replace(clinic(text, "q\n0\n10\n"), recipe=recipe, steps=())
    treatment = _treatment(case, "q")
    assert treatment is not None
    assert treatment(pa.array(["17", "3"])).to_pylist() == ["20", "0"]


def test_a_column_of_a_parquet_file_is_called_as_it_is_there_and_one_of_a_csv_file_as_in_the_source():
    """An apostrophe was put before a name only where a spreadsheet would open the file."""
    table = pa.table({"'=a": ["1"]})
    parquet, text = io.BytesIO(), b"'=a\n1\n"
    pq.write_table(table, parquet)
    read = [
        Table(
            lambda content=content: io.BytesIO(content), detect(io.BytesIO(content)), 1, names={"=a"}
        ).columns()
        for content in (parquet.getvalue(), text)
    ]
    assert read == [["'=a"], ["=a"]]


def test_a_result_without_rows_is_searched_too():
    steps = []
    report = residue_scan(TableSubject(clinic("q,s\n1,x\n", "q,s\n")), steps.append)
    assert (report.rows, report.blocking) == (0, ())
    assert all(0 <= step <= 1 for step in steps)


def test_both_signs_of_presence_are_explained_of_persons():
    f, population = Presence.of_persons.signs
    assert (f[0], str(f[1])) == ("f", str(PERSON_SIGNS[0][1]))
    assert population == Presence.signs[1]
    assert population[0] == "F"


def test_the_reader_of_the_header_reads_the_rows_and_is_let_go_with_the_columns() -> None:
    content = b"a,b\n1,x\n2,y\n"
    opened: list[io.BytesIO] = []

    def fresh() -> io.BytesIO:
        opened.append(io.BytesIO(content))
        return opened[-1]

    table = Table(fresh, detect(io.BytesIO(content)), 2)
    assert table.columns() == ["a", "b"]
    assert pa.Table.from_batches(table.batches()).to_pydict() == {"a": ["1", "2"], "b": ["x", "y"]}
    assert len(opened) == 1
    # Whoever reads the rows once more begins anew.
    assert sum(batch.num_rows for batch in table.batches()) == 2
    assert len(opened) == 2
    again = Table(fresh, table.format, 2)
    assert again.columns() == ["a", "b"]
    again.let_go()
    assert sum(batch.num_rows for batch in again.batches()) == 2
    assert len(opened) == 4
