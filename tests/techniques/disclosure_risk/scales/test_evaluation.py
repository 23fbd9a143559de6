"""Degree, level and overall risk side by side, and from a threshold back to k."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.disclosure_risk.measure import measure
from techniques.disclosure_risk.report import Figures, RiskReport
from techniques.disclosure_risk.scales.degree import Scenario
from techniques.disclosure_risk.scales.environment import TABLE_B_1, Level
from techniques.disclosure_risk.scales.evaluation import evaluate, level
from techniques.disclosure_risk.scales.inverse import needed, purchases


def report(*sizes: int) -> RiskReport:
    values = [str(number) for number, size in enumerate(sizes) for _row in range(size)]
    return measure(pa.table({"a": values}).to_batches(), ["a"], contributions=False)


@pytest.mark.parametrize(
    ("sizes", "sharing", "context", "direct", "quasi", "wanted", "risk"),
    [
        ((20, 20), "public", 0.0, 0, 1, 2, 0.05),  # not below 0.05
        ((21, 30), "public", 0.0, 0, 1, 3, 1 / 21),
        ((19, 30), "public", 0.0, 0, 1, 2, 1.0),  # one class above 1/20
        ((5, 5), "controlled", 0.2, 0, 1, 3, 0.04),
        ((4, 50), "controlled", 0.01, 0, 1, 2, 1.0),
        ((3, 6), "enclave", 0.1, 0, 1, 3, 0.025),
        ((50,), "public", 0.0, 1, 1, 1, 0.02),
        ((1, 1), "public", 0.0, 0, 0, 4, 1.0),
    ],
)
def test_levels(
    sizes: tuple[int, ...], sharing: str, context: float, direct: int, quasi: int, wanted: int, risk: float
) -> None:
    found = level(Figures.of(np.array(sizes)), sharing, context, direct=direct, quasi=quasi)  # type: ignore[arg-type]
    assert found.level == wanted
    assert found.overall == pytest.approx(risk)
    assert str(found.why)


@pytest.mark.parametrize(
    ("sharing", "size", "sizes"),
    [("public", 20, (19, 2, 40)), ("controlled", 5, (4, 2, 9)), ("enclave", 3, (2, 1, 7))],
)
def test_a_class_below_the_threshold_is_said_with_its_size(
    sharing: str, size: int, sizes: tuple[int, ...]
) -> None:
    """GB/T 42460 D.1.5: 1/20, 1/5 and 1/3; R_a of 3 classes, R_b the largest, R_c the mean over classes."""
    found = level(Figures.of(np.array(sizes)), sharing, 0.3)  # type: ignore[arg-type]
    wanted = {"risk": 1.0, "acceptable": 0.05, "classes": 2, "size": size}
    assert (found.why.code, found.why.params) == ("class_too_small", wanted)
    assert found.classes_at_risk == pytest.approx(2 / 3)
    assert found.maximum == 1 / min(sizes)
    assert found.mean == pytest.approx(sum(1 / one for one in sizes) / 3)
    assert found.context == (1.0 if sharing == "public" else 0.3)


def test_disagreement_is_told() -> None:
    found = evaluate(report(4, 50, 50), "controlled", deliberate=0.2, acquaintance=0.14, breach=0.1)
    assert not found.degree.passed
    assert found.level.level == 2
    assert found.overall.passed  # 3/104 * 0.2
    assert found.required_k == 5
    assert not found.agreed
    assert [one.code for one in found.statements] == ["verdict", "degree", "level", "overall"]
    assert all(str(one) for one in found.statements)
    assert evaluate(report(30, 30), "public").agreed
    with pytest.raises(EngineError):
        evaluate(report(4, 50), "controlled", deliberate=0.2)


def test_public_sharing_is_not_claim_state_a_mean() -> None:
    found = evaluate(report(20, 20), "public", threshold=0.05)
    assert (found.level.level, found.overall.passed) == (2, True)
    said = {one.code: str(one) for one in found.statements}
    assert "mean over classes" not in said["level"]
    assert "the smallest class, 0.05" in said["level"]


def test_every_way_to_disagree_has_its_sentence() -> None:
    seen = set()
    for sizes, scenario, threshold in (
        ((5, 5), "internal", 0.01), ((5, 5), "public", 0.01), ((4, 40), "external", 0.9), ((4, 40), "internal", 0.9),
        ((6, 6), "public", 0.9), ((4, 40), "internal", 0.0001),
    ):  # fmt: skip
        found = evaluate(
            report(*sizes), "controlled", deliberate=0.2, acquaintance=0.14, breach=0.1,
            scenario=Scenario(scenario), threshold=threshold,
        )  # fmt: skip
        assert not found.agreed
        assert found.statements[0].code == "verdict"
        seen.add(found.statements[0].message)
    assert len(seen) == 6
    named = evaluate(report(30, 30), "public", direct=1)
    assert "direct identifier" in str(named.statements[0])


@pytest.mark.parametrize(
    ("threshold", "sharing", "context", "k"),
    [
        (0.05, "public", 0.3, 20),
        (0.05, "controlled", 0.3, 6),
        (0.1, "controlled", 0.3, 3),
        (0.09, "controlled", 0.0, 2),
    ],
)
def test_k_for_a_threshold(threshold: float, sharing: str, context: float, k: int) -> None:
    found = needed(threshold, sharing, context)  # type: ignore[arg-type]
    assert found.k == k
    assert found.context / found.k <= threshold + 1e-12
    assert found.k == 2 or found.context / (found.k - 1) > threshold
    with pytest.raises(EngineError):
        needed(0, "public")


def test_what_controls_buy() -> None:
    bought = purchases(0.05, Level.LOW, Level.HIGH, acquaintance=0.13936, breach=0.25)
    assert [one.context for one in bought] == [0.6, 0.4, 0.25]  # from there on the breach decides
    assert [one.k for one in bought] == [12, 8, 5]
    assert [one.saved for one in bought] == [0, 4, 7]
    assert bought[0].context == TABLE_B_1[Level.LOW, Level.HIGH]


def test_the_sizes_that_a_threshold_needs() -> None:
    controlled = needed(0.05, "controlled", 0.3)
    assert (controlled.average, controlled.smallest) == (pytest.approx(6), 3)
    public = needed(0.05, "public", 0.3)
    assert (public.context, public.average, public.smallest) == (1.0, pytest.approx(20), 20)
    assert needed(0.5, "controlled", 0.3, cap=0.2).smallest == 5
    assert needed(0.5, "controlled", 0.3).average == 1.0
    assert needed(1, "public").k == 2
    for wrong in ((1.01, 0.5), (0.5, 1.01), (0.5, -0.01)):
        with pytest.raises(EngineError):
            needed(wrong[0], "controlled", wrong[1])
    public_only = purchases(0.05, Level.MEDIUM, Level.LOW, acquaintance=0, breach=0, sharing_type="public")
    assert [(one.context, one.k, one.saved) for one in public_only] == [(1.0, 20, 0)] * 2


def test_bounds_of_thresholds() -> None:
    for wrong in ({"threshold": 0.0}, {"threshold": 1.1}, {"acceptable": 0.0}, {"acceptable": 1.1}):
        with pytest.raises(EngineError):
            evaluate(report(30, 30), "public", **wrong)
    assert evaluate(report(30, 30), "public", threshold=1, acceptable=1).agreed
    mean = evaluate(report(2, 28), "public", measure="strict_average", cap=0.5)
    assert (mean.overall.data.value, mean.overall.data.cap_kept) == (pytest.approx(2 / 30), True)
    largest = evaluate(
        report(4, 28), "controlled", deliberate=0, acquaintance=0, breach=0.1, measure="maximum"
    )
    assert largest.overall.value == pytest.approx(0.025)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,x\n" * 6 + "2,y\n" * 6)
    # A sixth times 0.3 is 0.05, which is not below it, whatever the product of the two rounded numbers is.
    assert main(["evaluate", str(path), "--qi", "a,b"]) == 1
    assert (
        "level 2: Level 2: the overall risk 0.05 is not below the acceptable 0.05" in capsys.readouterr().out
    )
    path.write_text("a,b\n" + "1,x\n" * 7 + "2,y\n" * 7)
    assert main(["evaluate", str(path), "--qi", "a,b", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["k"], figures["degree"]["degree"], figures["level"]["level"]) == (
        7,
        pytest.approx(1.4),
        3,
    )
    assert figures["agreed"]
    assert main(["evaluate", str(path), "--qi", "a,b", "--sharing", "public"]) == 1
    assert "level 2" in capsys.readouterr().out
    path.write_text("a,id\n" + "".join(f"1,11010519491231002X\n2,{n}\n" for n in range(3)))
    assert main(["evaluate", str(path), "--qi", "a", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["level"]["level"] == 1
    path.write_text("a\n1\n1\n")
    assert main(["evaluate", str(path), "--qi", ""]) == 0
    assert "Level 4" in capsys.readouterr().out
