"""A suggested hierarchy can read the column's own values, all of them, in the shapes of the Adult census table."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow as pa
import pytest
from pydantic import TypeAdapter

from projects.objective.targets.risk import risk_defaults
from projects.processing.recipes.suggestion import hierarchy_of, model_settings, preparation_steps
from techniques.core.kinds import KINDS
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import HierarchyDefinition
from techniques.hierarchies.readings import Readings
from techniques.identification.metadata.lookup import lookup
from techniques.identification.metadata.table import DEFAULT_METADATA_TABLE
from techniques.identification.rules import scan
from techniques.identification.verdict import suggest
from techniques.tables import detect
from techniques.tables.readers.reading import open_table


def verdict_of(kind: str, column: str = "c", **readings: int) -> SimpleNamespace:
    return SimpleNamespace(kind=kind, column=column, provenance={"rules": {"readings": readings}})


def kind_with(form: str) -> str:
    return next(code for code, kind in KINDS.items() if kind.hierarchy.get("kind") == form)


@pytest.mark.parametrize(
    ("form", "reading"), [("intervals", "number"), ("dates", "date"), ("regions", "county"), ("table", "ethnic_group")]
)  # fmt: skip
def test_a_hierarchy_by_the_kind_alone_is_not_suggested(form, reading):
    kind = "ethnic_group" if form == "table" else kind_with(form)
    units = {"county": 0, "city": 0, "province": 0} if form == "regions" else {reading: 0}
    assert hierarchy_of(verdict_of(kind, **units))["kind"] == form
    settings = model_settings(risk_defaults("controlled"), [verdict_of(kind)], [])
    assert settings["hierarchies"] == {"c": {"kind": "star"}}
    assert settings["maximum_levels"] == {}
    assert "unfit" not in settings
    few = model_settings(risk_defaults("controlled"), [verdict_of(kind, **units | {reading: 3})], [])
    assert few["hierarchies"]["c"]["kind"] == form
    assert few["unfit"] == "suppress"


def test_divisions_begin_where_every_address_names_one():
    kind = kind_with("regions")
    found = verdict_of(kind, city=0, province=0)
    assert hierarchy_of(found)["units"] == ["city", "province"]
    assert model_settings(risk_defaults("controlled"), [found], [])["maximum_levels"] == {"c": 2}


def spelled(column: str, kind: str = "", **spellings: object) -> SimpleNamespace:
    return SimpleNamespace(kind=kind, column=column, provenance={"rules": {"spellings": spellings}})


def test_what_is_written_in_several_ways_is_prepared_first_column_by_column():
    wide, dates = {"width": True, "blanks": "keep"}, {"width": True, "blanks": "keep", "dates": True}
    given = [
        spelled("a", **wide), spelled("b", **dates), spelled("c", **wide), SimpleNamespace(kind="", column="d", provenance={}),
        spelled("text", "free_text", **wide), spelled("gone", **wide),
    ]  # fmt: skip
    assert preparation_steps(given, ["gone"], []) == [
        {"technique": "preparation.normalise", "columns": ["a", "c"], "parameters": wide},
        {"technique": "preparation.normalise", "columns": ["b"], "parameters": dates},
    ]


def test_a_linked_column_is_brought_into_no_form_that_the_other_table_may_not_have():
    cased = {"width": False, "blanks": "keep", "case": "upper"}
    assert preparation_steps([spelled("key", **cased)], [], ["key"]) == []
    (made,) = preparation_steps([spelled("key", **{**cased, "blanks": "outer"})], [], ["key"])
    assert made["parameters"] == {"width": False, "blanks": "outer"}


def test_a_scan_from_before_the_readings_changes_nothing():
    old = SimpleNamespace(kind="age", column="c", provenance={"rules": {"rows": 3}})
    assert hierarchy_of(old)["kind"] == "intervals"


def test_the_suggested_settings_can_read_the_whole_census_table(real_data_dir):
    with (real_data_dir / "adult_full.csv").open("rb") as stream:
        found = detect(stream)
        stream.seek(0)
        with open_table(stream, found) as reader:
            batches = list(reader.batches())
    columns = batches[0].schema.names
    watch = Readings(columns, sum(batch.num_rows for batch in batches))
    scanned = scan(watch.watched(batches), columns)
    suggested = suggest(columns, lookup(columns, DEFAULT_METADATA_TABLE), scanned)
    quasi = [verdict_of(one.kind, name, **watch.of(name)) for name, one in suggested.items() if one.kind]
    assert {"age", "workclass", "income"} <= {verdict.column for verdict in quasi}
    settings = model_settings(risk_defaults("controlled"), quasi, [])
    for verdict in quasi:
        definition = TypeAdapter(HierarchyDefinition).validate_python(settings["hierarchies"][verdict.column])
        values = pa.concat_arrays([batch.column(verdict.column).unique() for batch in batches]).unique()
        assert not build(definition, values.drop_null()).unfit.any(), verdict.column
    assert settings["hierarchies"]["age"]["kind"] == "intervals"
