"""GB/T 37964 C.2: every preset runs on the standard's example of its kind, and keeps what it says."""

from __future__ import annotations

import json
import re

import numpy as np
import pyarrow as pa
import pytest

from techniques.catalogue import get
from techniques.catalogue.technique import Scope
from techniques.cli.main import main
from techniques.core.kinds import Identifier
from techniques.identification.checks import is_id_number, luhn
from techniques.recipe.presets import Preset, presets
from techniques.recipe.recipe import Recipe
from techniques.values.dates import parse_days
from tests.techniques.apply import apply, cells, cells_of, operation, run_whole

EXAMPLES = {
    Identifier.NAME: "张三丰",
    Identifier.ID_NUMBER: "440524188001010014",
    Identifier.BANK_CARD: "4111111111111111",
    Identifier.ADDRESS: "江西省吉安市安福县安平路1号",
    Identifier.PHONE: "19888888888",
    Identifier.NUMBER: "12345",
    Identifier.DATE: "1880年1月1日",
    Identifier.POSITION: "北京市海淀区清华园1号",
}
EXPECTED = {
    ("name", "generalise"): "张某某",
    ("name", "stars"): r"\*{4}",
    ("name", "random"): r"[\u4e00-\u9fff]{3}",
    ("name", "dictionary"): r"[\u4e00-\u9fff]{2,3}",
    ("name", "reversible"): "[0-9a-f]{64}",
    ("id_number", "partial"): r"440524\*{8}0014",
    ("id_number", "synthetic"): r"\d{17}[\dX]",
    ("id_number", "sequence"): r"\d{18}",
    ("id_number", "reversible"): r"\d{17}[\dX]",
    ("bank_card", "partial"): r"411111\*{6}1111",
    ("bank_card", "reversible"): r"411111\d{10}",
    ("bank_card", "synthetic"): r"62\d{14}",
    ("address", "generalise"): "江西省",
    ("address", "divisions"): "江西省吉安市安福县",
    ("address", "partial"): "江西省XX市XX县",
    ("address", "synthetic"): r".{5,}[路街]\d+号",
    ("phone", "partial"): r"198\*{4}8888",
    ("phone", "random"): r"\d{11}",
    ("phone", "reversible"): r"198\d{8}",
    ("number", "generalise"): r"\[12340,12350\)",
    ("number", "partial"): "12000",
    ("date", "generalise"): "1880",
    ("date", "month"): "1880-01",
    ("date", "partial"): "1880年某月1日",
    ("position", "divisions"): "北京市",
}


@pytest.mark.parametrize("preset", presets(), ids=lambda p: f"{p.kind}-{p.key}")
def test_presets_are_recipes(preset: Preset) -> None:
    # Columns that a setting names belong to the step.
    others = [preset.settings[s] for s in ("subject", "latitude", "longitude") if s in preset.settings]
    step = {"technique": preset.technique, "columns": ["c", *others], "parameters": dict(preset.settings)}
    text = json.dumps(
        {"steps": [step, {"technique": "as_is", "column": "d", "parameters": {"reason": "why"}}]}
    )
    assert Recipe.parse(text).steps[0].parameters == preset.parameters()
    assert preset.clause in {f"C.2.{number}" for number in range(1, 9)}


@pytest.mark.parametrize(
    "preset",
    [p for p in presets() if (p.kind.value, p.key) in EXPECTED],
    ids=lambda p: f"{p.kind}-{p.key}",
)
def test_examples(preset: Preset) -> None:
    [made] = apply(preset.technique, [EXAMPLES[preset.kind]], **preset.settings)
    assert re.fullmatch(EXPECTED[preset.kind.value, preset.key], str(made))
    if preset.key in ("reversible", "synthetic") and preset.kind is Identifier.ID_NUMBER:
        assert is_id_number(str(made))
    if preset.key in ("reversible", "synthetic") and preset.kind is Identifier.BANK_CARD:
        assert luhn(str(made))
    assert made != EXAMPLES[preset.kind]


TREATMENTS = {
    Identifier.NAME: "generalise suppress random dictionary reversible",
    Identifier.ID_NUMBER: "suppress partial reversible synthetic",
    Identifier.BANK_CARD: "suppress partial reversible synthetic",
    Identifier.ADDRESS: "generalise suppress partial synthetic",
    Identifier.PHONE: "suppress partial random reversible",
    Identifier.NUMBER: "generalise suppress top_coding partial swap noise synthetic",
    Identifier.DATE: "generalise suppress partial swap noise synthetic",
    Identifier.POSITION: "noise_town noise_country areas",
}
"""The ways of C.2.1 to C.2.8 in the standard's order."""


def test_every_way_of_the_standard_has_its_preset() -> None:
    for kind, treatments in TREATMENTS.items():
        assert set(treatments.split()) <= {preset.key for preset in presets(kind)}
    # Noise on positions is one way with two distances.
    assert sum(len(treatments.split()) for treatments in TREATMENTS.values()) >= 35


def test_every_kind_has_presets() -> None:
    assert {preset.kind for preset in presets()} == set(Identifier)
    assert len({(preset.kind, preset.key) for preset in presets()}) == len(presets())
    tested = {(p.kind.value, p.key) for p in presets() if get(p.technique).scope is Scope.COLUMN}
    assert tested - set(EXPECTED) == {("number", "top_coding"), ("number", "noise"), ("date", "noise")}


def test_top_coding_leaves_20000_people_beyond() -> None:
    values = [str(i) for i in range(30_000)]
    [preset] = [p for p in presets(Identifier.NUMBER) if p.key == "top_coding"]
    coded = apply(preset.technique, values, **preset.settings)
    assert sum(str(x).startswith(">=") for x in coded) == 20_000


def chosen(kind: Identifier, key: str) -> Preset:
    [preset] = [p for p in presets(kind) if p.key == key]
    return preset


def test_numbers_as_the_standard_shows_them() -> None:
    """Seventy and more; a mark without its last digit; 1.72 m by a little; 45 years by another age."""
    top = {"top": 70.0, "result": "label"}
    assert apply("generalization.top_bottom_coding", ["69", "71", "88"], **top) == ["69", ">=70", ">=70"]
    assert apply("generalization.rounding", ["87", "90"], base=10.0, method="down") == ["80", "90"]
    heights = [f"1.{i:02}" for i in range(50, 90)]
    made = operation("randomization.noise", {"spread": 0.11, "distribution": "uniform"}, 40)
    moved = made.treat(cells(heights, np.arange(40))).to_pylist()
    assert all(
        0 <= abs(float(a) - float(b)) <= 0.11 * 3**0.5 + 0.01 for a, b in zip(heights, moved, strict=True)
    )
    ages = [str(18 + i % 60) for i in range(400)]
    preset = chosen(Identifier.NUMBER, "synthetic")
    [after] = cells_of(run_whole(preset.technique, [ages], **preset.settings))
    assert set(after) <= set(ages)
    assert after != ages


def test_dates_as_the_standard_shows_them() -> None:
    """1880-01-01 and 32 days give 1880-02-02."""
    days, valid = parse_days(pa.array(["1880年1月1日", "18800202", "1880-01"]))
    assert valid.tolist() == [True, True, False]
    assert days[1] - days[0] == 32
    preset = chosen(Identifier.DATE, "noise")
    made = operation(preset.technique, dict(preset.settings), 100)
    moved, sound = parse_days(made.treat(cells(["1880年1月1日"], np.zeros(500))))
    assert sound.all()
    assert np.abs(moved - days[0]).max() == 32
    masked = apply("suppression.mask_identifier", ["1880-01-01", "18800101", "later"], kind="date")
    assert masked == ["1880-**-01", "1880**01", "*****"]


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["presets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(presets())
    assert main(["presets"]) == 0
    assert "encryption.identifier" in capsys.readouterr().out
