"""A suggested hierarchy is checked against the first values of its column, in the shapes of the Adult census table."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from projects.objective.targets.risk import risk_defaults
from projects.processing.recipes.suggestion import fits, model_settings
from techniques.core.kinds import KINDS

NUMBERS = ["39", "50", "2,174", "￥300.50", "13 "]
DATES = ["2024-01-02", "2024年1月3日", "20240104"]
PLACES = ["北京市朝阳区建国路1号", "浙江省杭州市"]


def kind_with(form):
    return next(code for code, kind in KINDS.items() if kind.hierarchy.get("kind") == form)


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        ("intervals", NUMBERS, ["<=50K", ">50K", "?", "State-gov", "20-29"]),
        ("dates", DATES, ["State-gov", "?", "Bachelors"]),
        ("regions", PLACES, ["State-gov", "Private", "?", "United-States", "310104", "私营企业"]),
    ],
)
def test_a_hierarchy_by_the_kind_alone_is_not_suggested(form, good, bad):
    verdict = SimpleNamespace(kind=kind_with(form), column="workclass")
    targets = risk_defaults("controlled")
    assert fits(verdict, good)
    assert (
        model_settings(targets, [verdict], [], {"workclass": good})["hierarchies"]["workclass"]["kind"]
        == form
    )
    for value in bad:
        settings = model_settings(targets, [verdict], [], {"workclass": [*good, value]})
        assert settings["hierarchies"] == {"workclass": {"kind": "star"}}, value
        assert settings["maximum_levels"] == {}
