"""The catalogue: complete, light to import, and enough to make a form from."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from techniques import catalogue
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError

KEYS = [spec.key for spec in catalogue.techniques()]


def test_keys_are_unique_and_found() -> None:
    assert len(set(KEYS)) == len(KEYS)
    assert all(catalogue.get(key).key == key for key in KEYS)
    with pytest.raises(EngineError) as error:
        catalogue.get("magic")
    assert error.value.code == "technique_unknown"


def test_the_web_process_loads_no_numerical_library() -> None:
    code = (
        "import sys; from techniques import catalogue, recipe;"
        "[spec.as_dict() for spec in catalogue.techniques()];"
        "print(sorted({'numpy', 'pyarrow', 'numba', 'pandas', 'django'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("key", KEYS)
def test_every_field_has_words(key: str) -> None:
    spec = catalogue.get(key)
    assert spec.name
    assert spec.summary
    assert spec.recipient_notice
    for field in catalogue.parameter_fields(key):
        assert field.title != field.name
        assert field.help
        assert field.kind != "choice" or field.choices
        assert all(choice.label for choice in field.choices)


def test_every_family_has_words() -> None:
    assert set(FAMILIES) == set(Family) == {spec.family for spec in catalogue.techniques()}
    assert all(row.name and row.notice for row in FAMILIES.values())


@pytest.mark.parametrize("key", KEYS)
def test_clauses_are_the_standards_own(key: str) -> None:
    """A reader finds each of them in GB/T 37964-2019 (annexes and 4.1), or in T/ISC 0078 where that is said."""
    clauses = catalogue.get(key).clauses
    assert clauses
    assert len(set(clauses)) == len(clauses)
    for clause in clauses:
        assert re.fullmatch(r"(?:T/ISC 0078 )?(?:[A-E]|[1-9]\d*)(?:\.\d+)+(?: [a-m])?|C\.2", clause), clause


@pytest.mark.parametrize(
    "key", [spec.key for spec in catalogue.techniques() if spec.scope is not Scope.STRUCTURE]
)
def test_every_implementation_is_there(key: str) -> None:
    assert callable(catalogue.implementation(key))


@pytest.mark.parametrize(
    "key", [spec.key for spec in catalogue.techniques() if spec.scope is not Scope.STRUCTURE]
)
def test_a_technique_is_in_the_file_that_bears_its_name(key: str) -> None:
    spec = catalogue.get(key)
    place = (
        "techniques.models.operation" if spec.family is Family.MODEL else f"techniques.families.{spec.key}"
    )
    assert spec.implementation.partition(":")[0] == place


def test_fields_of_rounding() -> None:
    fields = {field.name: field for field in catalogue.parameter_fields("generalization.rounding")}
    assert list(fields) == ["base", "method", "unfit"]
    assert fields["base"].kind == "decimal"
    assert fields["base"].required
    assert (fields["base"].minimum, fields["base"].exclusive_minimum) == (0, True)
    assert [choice.value for choice in fields["method"].choices] == ["nearest", "stochastic", "down", "up"]
    assert fields["method"].default == "nearest"


def test_kinds_of_the_larger_fields() -> None:
    fields = {field.name: field for field in catalogue.parameter_fields("model.k_anonymity")}
    assert fields["hierarchies"].kind == "hierarchies"
    assert fields["k"].kind == "integer"
    assert fields["minimum_levels"].kind == "mapping"
    hierarchy = catalogue.parameter_fields("generalization.hierarchy")[0]
    assert (hierarchy.name, hierarchy.kind) == ("hierarchy", "hierarchy")
    thresholds = {f.name: f for f in catalogue.parameter_fields("generalization.top_bottom_coding")}
    assert (thresholds["top"].kind, thresholds["top_rows"].kind) == ("decimal", "integer")
    assert thresholds["top_rows"].minimum == 2


def test_kinds_of_hierarchies_have_forms() -> None:
    kinds = {kind.kind: kind for kind in catalogue.hierarchy_kinds()}
    assert set(kinds) == {"star", "intervals", "dates", "regions", "mask", "table", "free"}
    assert [kind for kind, one in kinds.items() if one.models_only] == ["free"]
    assert all(field.title != field.name and field.help for kind in kinds.values() for field in kind.fields)
    widths = kinds["intervals"].fields[0]
    assert (widths.name, widths.kind, widths.item_kind, widths.required) == (
        "widths",
        "list",
        "decimal",
        True,
    )
    assert [choice.value for choice in kinds["dates"].fields[0].item_choices] == [
        "month", "quarter", "year", "decade",
    ]  # fmt: skip


def test_table_c1_of_masking() -> None:
    row = catalogue.get("suppression.mask").as_dict()["table_c1"]
    assert (row["truthful"], row["singling_out"], row["linking"], row["inference"], row["cost"]) == (
        True, "yes", "partly", "no", "low",
    )  # fmt: skip
