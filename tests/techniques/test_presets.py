"""GB/T 37964 C.2: every preset runs on an example of its kind, and keeps what it says."""

from __future__ import annotations

import json
import re

import pytest

from techniques.catalogue import Scope, get
from techniques.cli import main
from techniques.identification.checks import is_id_number, luhn
from techniques.presets import MISSING, Identifier, Preset, presets
from techniques.recipe import Recipe
from tests.techniques.apply import apply

EXAMPLES = {
    Identifier.NAME: "张三丰",
    Identifier.ID_NUMBER: "440524188001010014",
    Identifier.BANK_CARD: "4111111111111111",
    Identifier.ADDRESS: "江西省南昌市东湖区八一路1号",
    Identifier.PHONE: "13800138000",
    Identifier.NUMBER: "12345",
    Identifier.DATE: "1985-11-03",
}
EXPECTED = {
    ("name", "generalise"): "张某某",
    ("name", "random"): r"P\d{8}",
    ("name", "dictionary"): r"[\u4e00-\u9fff]{2,3}",
    ("name", "reversible"): "[0-9a-f]{64}",
    ("id_number", "partial"): r"440524\*{8}0014",
    ("id_number", "sequence"): r"\d{18}",
    ("id_number", "reversible"): r"\d{17}[\dX]",
    ("bank_card", "partial"): r"411111\*{6}1111",
    ("bank_card", "reversible"): r"411111\d{10}",
    ("address", "generalise"): "江西省",
    ("address", "partial"): "江西省南昌市东湖区",
    ("phone", "partial"): r"138\*{4}8000",
    ("phone", "random"): r"\d{11}",
    ("phone", "reversible"): r"138\d{8}",
    ("number", "generalise"): r"\[12340,12350\)",
    ("number", "partial"): "12000",
    ("date", "generalise"): "1985-11",
    ("date", "partial"): "1985",
}


@pytest.mark.parametrize("preset", presets(), ids=lambda p: f"{p.kind}-{p.key}")
def test_presets_are_recipes(preset: Preset) -> None:
    step = {"technique": preset.technique, "column": "c", "parameters": dict(preset.settings)}
    text = json.dumps(
        {"steps": [step, {"technique": "as_is", "column": "d", "parameters": {"reason": "why"}}]}
    )
    assert Recipe.parse(text).steps[0].parameters == preset.parameters()
    assert preset.clause in ("G-162", "G-163", "G-164", "G-165", "G-166", "G-167", "G-168", "G-169")


@pytest.mark.parametrize(
    "preset",
    [p for p in presets() if (p.kind.value, p.key) in EXPECTED],
    ids=lambda p: f"{p.kind}-{p.key}",
)
def test_examples(preset: Preset) -> None:
    [made] = apply(preset.technique, [EXAMPLES[preset.kind]], **preset.settings)
    assert re.fullmatch(EXPECTED[preset.kind.value, preset.key], str(made))
    if preset.key == "reversible" and preset.kind is Identifier.ID_NUMBER:
        assert is_id_number(str(made))
    if preset.key == "reversible" and preset.kind is Identifier.BANK_CARD:
        assert luhn(str(made))
    assert made != EXAMPLES[preset.kind]


def test_every_kind_has_presets_and_what_is_missing_is_said() -> None:
    assert {preset.kind for preset in presets()} == set(Identifier)
    assert len({(preset.kind, preset.key) for preset in presets()}) == len(presets())
    assert {kind for kind, _ in MISSING} >= {Identifier.POSITION, Identifier.DATE}
    tested = {(p.kind.value, p.key) for p in presets() if get(p.technique).scope is Scope.COLUMN}
    assert tested - set(EXPECTED) == {("number", "top_coding"), ("number", "noise")}


def test_top_coding_leaves_20000_people_beyond() -> None:
    values = [str(i) for i in range(30_000)]
    [preset] = [p for p in presets(Identifier.NUMBER) if p.key == "top_coding"]
    coded = apply(preset.technique, values, **preset.settings)
    assert sum(str(x).startswith(">=") for x in coded) == 20_000


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["presets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(presets())
    assert main(["presets"]) == 0
    assert "encryption.identifier" in capsys.readouterr().out
