"""Rules on values that an organisation adds find beside the portal's own, in the scan and in what a result has left."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError
from techniques.identification.metadata.forms import LONGEST, ValueForm, value_form_check, value_forms
from techniques.identification.metadata.lookup import lookup
from techniques.identification.metadata.row import MetadataRow
from techniques.identification.residual import residual_scan
from techniques.identification.rules import scan
from techniques.identification.scanner import ColumnScanner
from techniques.identification.verdict import suggest

DIRECT = AttributeRole.DIRECT_IDENTIFIER
BADGE = ValueForm("own_badge", DIRECT, "EMP-[0-9]{6}")
BADGES = [f"EMP-{n:06d}" for n in range(300)]


def read(values, *forms, size=70):
    table = pa.table({"c": pa.array(values, pa.string())})
    return scan(table.to_batches(max_chunksize=size), ["c"], forms=forms)


def left(values, *forms, **options):
    table = pa.table({"c": pa.array(values, pa.string())})
    return residual_scan(table.to_batches(max_chunksize=70), ["c"], {}, forms=forms, **options)


def test_a_column_of_the_form_gets_the_role_of_the_organisation():
    report = read(BADGES, BADGE)
    found = report.columns["c"].finding("own_badge")
    assert (found.hits, found.substring_hits, found.rate, found.role) == (300, 0, 1.0, DIRECT)
    suggestion = suggest(["c"], {}, report)["c"]
    assert (suggestion.kind, suggestion.role) == ("own_badge", DIRECT)
    named = lookup(["c"], [MetadataRow("own_badge", "a", "b", field_names=("c",), role_override=DIRECT)])
    assert suggest(["c"], named, report)["c"].confidence > suggestion.confidence, "two methods agree"
    assert read(BADGES).columns["c"].finding("own_badge") is None


def test_the_role_that_was_found_is_kept_with_the_report_and_no_word_is_added_to_others():
    report = read([*BADGES, "13812345678"], BADGE)
    again = type(report).model_validate(report.model_dump(mode="json"))
    assert again.columns["c"].finding("own_badge").role == DIRECT
    assert "own_role" not in next(
        one for one in report.model_dump(mode="json")["columns"]["c"]["findings"] if one["kind"] == "phone"
    )


def test_one_value_that_is_left_blocks_a_result():
    values = ["x", "y"] * 200 + ["EMP-000017"]
    assert left(values).passed
    report = left(values, BADGE)
    assert [(one.kind, one.rows, one.first_rows) for one in report.blocking] == [("own_badge", 1, (401,))]
    assert left(values, BADGE, allowed=[("c", "own_badge")]).passed
    assert left(values, ValueForm("own_badge", AttributeRole.QUASI_IDENTIFIER, BADGE.expression)).passed


def test_a_form_hides_nothing_from_the_other_rules():
    """Not even one that fits every value and calls it harmless, nor one that stands under a known kind."""
    values = ["13812345678"] * 40 + ["440524188001010014"] * 20
    for form in (
        ValueForm("own_any", AttributeRole.OTHER, ".+"),
        ValueForm("phone", AttributeRole.OTHER, ".+"),
    ):
        found = {one.kind: (one.hits, one.role) for one in read(values, form).columns["c"].findings}
        assert found["id_number"] == (20, DIRECT)
        assert found["phone"] == (60 if form.kind == "phone" else 40, DIRECT), "none is counted twice"
        assert {one.kind for one in left(values, form).blocking} >= {"id_number", "phone"}


def test_pseudonyms_of_another_form_are_none_of_the_organisations_values():
    tokens = [f"{n:016x}" for n in range(100)]
    assert left(tokens, BADGE, pseudonymised={"c": "[0-9a-f]{16}"}).passed
    raw = left(BADGES[::-2], BADGE, pseudonymised={"c": "EMP-[0-9]{6}"})
    assert {one.kind for one in raw.blocking} == {"own_badge"}


def test_values_are_compared_as_the_other_rules_do():
    """Full-width letters, blanks around; a longer text is no whole value."""
    found = read(["ＥＭＰ-０００００１", "  EMP-000002 ", "see EMP-000003", None, ""], BADGE).columns["c"]
    assert found.finding("own_badge").hits == 2


def test_parts_of_a_table_add_up():
    one, other = ColumnScanner("c", (BADGE,)), ColumnScanner("c", (BADGE,))
    one.feed(pa.array(BADGES[:10]))
    other.feed(pa.array(["x", *BADGES[10:]]))
    one.merge(other)
    found = one.result().finding("own_badge")
    assert (found.hits, found.role) == (300, DIRECT)


@given(st.lists(st.text("EMP-019 a", max_size=11), max_size=40))
def test_as_many_are_found_as_fit(values):
    expected = sum(1 for value in values if re.fullmatch(BADGE.expression, value.strip()))
    found = read(values, BADGE, size=7).columns["c"].finding("own_badge")
    assert (found.hits if found else 0) == expected


@pytest.mark.parametrize(
    "expression", ["EMP-[0-9]{6}", "[0-9]{8}", "(甲|乙)[0-9]{3}", r"[A-Z]{2}\d{4}", "(?i:emp)[0-9]+"]
)
def test_forms_that_tell_something(expression):
    value_form_check(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "(",
        "[",
        r"(a)\1",
        "(?=a)a",
        "(?<!a)b",
        "a{2000}",
        ".*",
        ".+",
        "[^x]+",
        "a?",
        "|a",
        "x" * (LONGEST + 1),
    ],
)
def test_forms_that_cannot_be_read_or_say_nothing_are_refused(expression):
    with pytest.raises(EngineError) as refused:
        value_form_check(expression)
    assert refused.value.code == "value_form"


def test_rows_without_a_form_give_none():
    rows = [
        MetadataRow("own_a", "a", "b"),
        MetadataRow("own_b", "a", "b", value_form="B[0-9]", role_override=DIRECT),
    ]
    assert value_forms(rows) == (ValueForm("own_b", DIRECT, "B[0-9]"),)
