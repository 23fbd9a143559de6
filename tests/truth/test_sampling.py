"""What is said of a sample: who was certain to be drawn is not promised that nobody knows of them."""

from __future__ import annotations

import json
from typing import Any

from tests.truth.released import patients, released, step


def _said(method: str, *, subject: str = "") -> tuple[list[str], dict[str, Any]]:
    """The statements about a sample of one in ten, in one stratum of which one person is alone."""
    rows = [
        dict(row, 科室="内科", 年龄="40", 地区="江西省", 病历号=f"M{n % 200:08}")
        for n, row in enumerate(patients())
    ]
    for row in rows[::200]:
        row["科室"] = "外科"
    columns = ["性别", "年龄", "地区", "科室", *([subject] if subject else [])]
    draw = step("statistical.sampling", "科室", fraction=0.1, method=method)
    gone = [step("suppression.remove_column", subject)] if subject else []
    risk = released(columns, draw, *gone, rows=rows, subject=subject).of("")[1].risk
    assert risk is not None
    assert risk.sample is not None
    return [json.dumps(one.params) + one.message for one in risk.statements], risk.sample


def test_who_is_alone_in_a_stratum_is_drawn_for_certain() -> None:
    said, sample = _said("stratified", subject="病历号")
    assert sample["chances"][0] == [1.0, 1]
    assert sample["journalist"]["max_risk"] > 1 / 100
    assert any("certain to be drawn" in one and "persons" in one for one in said)
    assert not any("nobody can be sure" in one for one in said)


def test_where_all_have_the_same_chance_nobody_can_be_sure() -> None:
    for subject in ("", "病历号"):
        said, sample = _said("simple", subject=subject)
        assert "chances" not in sample
        assert any("nobody can be sure" in one for one in said)
        assert any("of the persons of the source" in one for one in said) == bool(subject)
        assert any("with a probability of" in one and "of the persons" in one for one in said) == bool(
            subject
        )
