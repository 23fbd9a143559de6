"""Valid-looking identifiers that the run made itself are no residue; what is left over of the source is."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from techniques import catalogue
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.identification.checks import id_check_character
from techniques.identification.residual import residual_scan
from techniques.identification.survivors import Survival, account_for, format_keepers, survivors
from techniques.recipe.recipe import Recipe

COLUMN = "身份证号"
RECIPE = Recipe.from_data(
    {
        "recipe": 1,
        "unlisted": "remove",
        "steps": [
            {"technique": "encryption.identifier", "columns": [COLUMN], "parameters": {"kind": "id_number"}}
        ],
    }
)


def numbers(count: int) -> list[str]:
    chance = random.Random(3)
    first = [
        f"310104{chance.randint(1940, 2010)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}{chance.randint(1, 999):03}"
        for _ in range(count)
    ]
    return [one + id_check_character(one) for one in first]


def encrypted(values: list[str]) -> list[str]:
    step = RECIPE.steps[0]
    context = Context(0, (COLUMN,), len(values), Secrets(b"k" * 32, 1))
    made = catalogue.implementation(step.technique)(step.parameters, context)
    return made.apply(pa.array(values)).values.to_pylist()


def batches(values: list[str | None], column: str = COLUMN) -> list[pa.RecordBatch]:
    half = len(values) // 2
    return [pa.record_batch({column: pa.array(part, pa.string())}) for part in (values[:half], values[half:])]


def judged(before, after, **proven):
    report = residual_scan(
        batches(after), [COLUMN], {COLUMN: AttributeRole.DIRECT_IDENTIFIER}, treated=[COLUMN]
    )
    assert not report.passed
    found = proven.get("proven")
    if found is None:
        found = survivors(batches(before), batches(after), [COLUMN])
    return account_for(report, format_keepers(RECIPE), found)


def test_what_the_run_made_is_no_residue():
    before = numbers(600)
    report = judged(before, [*encrypted(before), None, "***"])
    assert report.passed
    assert {item.kind for item in report.findings} >= {"id_number"}
    first = report.findings[0]
    assert first.params["originals"] == 600
    assert "none of the %(originals)d original values" in first.message


@pytest.mark.parametrize("change", [str.lower, lambda value: f" {value} ", lambda value: value])
def test_one_original_that_is_left_blocks(change):
    before = numbers(600)
    before[7] = "31010419800101001X" if change is str.lower else before[7]
    after = encrypted([value for value in before if value[:-1] != "31010419800101001"])
    report = judged(before, [*after, change(before[7])])
    assert not report.passed
    assert report.blocking[0].params["survivors"] == 1


@pytest.mark.parametrize("proven", [{}, {COLUMN: Survival(0, 0)}])
def test_what_is_not_proven_blocks(proven):
    before = numbers(100)
    report = judged(before, encrypted(before), proven=proven)
    assert not report.passed
    assert "could not be proven" in report.blocking[0].message


def test_only_a_single_step_that_declares_it_keeps_the_format():
    def keepers(*techniques):
        steps = [{"technique": key, "columns": ["甲"], "parameters": given} for key, given in techniques]
        found = format_keepers(Recipe.from_data({"recipe": 1, "unlisted": "remove", "steps": steps}))
        return {column: spec.key for column, spec in found.items()}

    ff1 = ("encryption.format_preserving", {})
    assert keepers(ff1) == {"甲": "encryption.format_preserving"}
    assert keepers(("synthesis.identifier", {"kind": "phone"})) == {"甲": "synthesis.identifier"}
    assert keepers(("pseudonymization.keyed_hash", {})) == {}
    assert keepers(("as_is", {"reason": "it is needed as it is"})) == {}
    assert keepers(ff1, ("suppression.mask", {"keep_left": 2})) == {}


def test_the_hash_counts_what_a_set_counts():
    chance = random.Random(5)
    before = ["".join(chance.choices("0123456789甲乙", k=chance.randint(0, 6))) for _ in range(5000)]
    after = ["".join(chance.choices("0123456789甲乙", k=chance.randint(0, 6))) for _ in range(5000)]
    found = survivors(batches(before), batches(after), [COLUMN])[COLUMN]
    left, right = ({value for value in values if value} for values in (before, after))
    assert found == Survival(len(left), len(left & right))
    with pytest.raises(EngineError):
        survivors(batches(before, "另一列"), batches(after), [COLUMN])
