"""Every usual way and every scene that the editor offers passes the gate, or says before it is chosen what it cannot do."""

from __future__ import annotations

from typing import Any

import pytest

from techniques.core.attributes import AttributeRole, Scene
from techniques.core.kinds import kind_of
from techniques.core.messages import EngineError
from techniques.recipe.presets import PRESETS, Preset
from techniques.recipe.scenes import SCENES, treatment
from tests.truth.released import ROLES, released, step, stopped_by

_OF_KIND = {
    "name": ["姓名"], "id_number": ["身份证号"], "bank_card": ["银行卡"], "address": ["住址"], "phone": ["手机"],
    "number": ["年龄"], "date": ["就诊日期"], "position": ["纬度", "经度"],
}  # fmt: skip
_NAMES = {"latitude": "纬度", "longitude": "经度", "subject": "病历号"}
_KINDS = {
    "姓名": "person_name", "身份证号": "id_number", "手机": "phone", "银行卡": "bank_card", "住址": "address",
    "病历号": "medical_record", "备注": "free_text", "性别": "gender", "年龄": "age", "就诊日期": "event_date",
    "地区": "region", "费用": "fee", "诊断": "diagnosis", "科室": "department",
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: f"{preset.kind}-{preset.key}")
def test_a_usual_way_passes_or_says_what_it_cannot_do(preset: Preset) -> None:
    columns = list(_OF_KIND[preset.kind])
    if preset.kind == "position" and preset.technique == "generalization.region":
        columns = ["地区"]
    settings = {name: _NAMES.get(str(value), value) for name, value in preset.settings.items()}
    more = [step("pseudonymization.keyed_hash", "病历号")] if "subject" in settings else []
    named = [*columns, *(["病历号"] if more else [])]
    steps = [step(preset.technique, *named, **settings), *more]
    if "20,000" in preset.name:
        # Thresholds of 20,000 people, which the way is called by: the table is far smaller.
        with pytest.raises(EngineError):
            released([*named, "诊断"], *steps)
        return
    found = released([*named, "诊断"], *steps)
    stopped = [check.kind for check in stopped_by(found)]
    assert not stopped or (preset.limit and stopped[0] == "k"), stopped


@pytest.mark.parametrize("scene", Scene)
def test_a_scene_passes_or_says_what_it_cannot_do(scene: Scene) -> None:
    stopped = [check.kind for check in stopped_by(released(list(_KINDS), *_steps(scene)))]
    assert bool(stopped) == bool(SCENES[scene].limit), stopped


def _steps(scene: Scene) -> list[dict[str, Any]]:
    """What the scene does with every column of the patients, as the page of the scenes makes a draft of it."""
    steps: dict[tuple[str, str], dict[str, Any]] = {}
    for column, kind in _KINDS.items():
        one = treatment(scene, AttributeRole(ROLES[column]), kind)
        key = one.technique, "" if one.group == "all" else column
        made = steps.setdefault(key, step(one.technique, **one.settings))
        made["columns"].append(column)
        if one.technique == "model.k_anonymity":
            hierarchies = made["parameters"].setdefault("hierarchies", {})
            hierarchies[column] = kind_of(kind).starting_hierarchy()
            made["parameters"] |= {"k": 5, "suppression_limit": 0.05}
        elif one.technique == "randomization.microaggregation":
            made["parameters"] = {"k": 5}
    order = {"suppression.remove_column": 0, "as_is": 2}
    return sorted(steps.values(), key=lambda made: order.get(made["technique"], 1))
