"""What is said of settings (5.5.2 c): of each a recipe of which it is true, and one of which it would be false."""

from __future__ import annotations

from typing import Any

import pytest

from projects.releases.relatives.selectors import KEYED
from projects.verification.reports.gate import Measurement
from techniques.recipe.recipe import Recipe
from techniques.recipe.review import review
from tests.truth.released import patients, released, step

_DOMAINS = {"性别": "男|女", "年龄": "0..120"}


def _private(epsilon: float) -> list[dict[str, Any]]:
    return [step("synthesis.private", "性别", "年龄", epsilon=epsilon, domains=_DOMAINS)]


def _hash(**settings: Any) -> list[dict[str, Any]]:
    return [step("pseudonymization.keyed_hash", "病历号", **settings)]


def _two(technique: str) -> list[dict[str, Any]]:
    return [step("encryption.deterministic", "病历号"), step(technique, "手机")]


SAID = {
    "a privacy budget of": ("性别 年龄", _private(50), _private(1)),
    "carry %(bits)d bits only": (
        "病历号", _hash(length=10, maximum_collision_probability=0.001), _hash(length=32)
    ),
    "share a pseudonym with a chance": ("病历号", _hash(maximum_collision_probability=0.5), _hash()),
    "in every run of the project": (
        "病历号", [step("encryption.deterministic", "病历号", joinable="project")], [step("encryption.deterministic", "病历号")]
    ),
    "pseudonyms in every run of the project": ("病历号", _hash(joinable="project"), _hash()),
    "pseudonyms in every project of the purpose": (
        "病历号", _hash(joinable="purpose", purpose="study"), _hash(joinable="never")
    ),
    "stay as they are beside the encrypted ones": (
        "身份证号",
        [step("encryption.format_preserving", "身份证号", alphabet="upper36", keep_left=10)],
        [step("encryption.format_preserving", "身份证号", alphabet="upper36", keep_left=2)],
    ),
    "tell how long each value is": (
        "姓名", [step("encryption.deterministic", "姓名", hide_length=False)], [step("encryption.deterministic", "姓名")]
    ),
    "standard deviations leaves": (
        "费用",
        [step("randomization.noise", "费用", spread=0.01, unit="deviation")],
        [step("randomization.noise", "费用", spread=0.3, unit="deviation")],
    ),
    "move by at most %(days)d days": (
        "就诊日期", [step("randomization.date_noise", "就诊日期", maximum=3)],
        [step("randomization.date_noise", "就诊日期", maximum=30)],
    ),
    "while the targets ask for": (
        "费用",
        [step("randomization.microaggregation", "费用", k=3)],
        [step("randomization.microaggregation", "费用", k=5)],
    ),
    "all rest on one key": ("病历号 手机", _two("pseudonymization.keyed_hash"), _two("encryption.deterministic")),
    "equal values of them look alike": (
        "病历号 手机",
        [step("encryption.deterministic", "病历号", "手机", domain="a")],
        [step("encryption.deterministic", "病历号", domain="a"), step("encryption.deterministic", "手机", domain="b")],
    ),
    "in how frequent they are": (
        "诊断", [step("encryption.deterministic", "诊断")], [step("suppression.mask", "诊断")]
    ),
}  # fmt: skip


def _said(found: Measurement) -> list[str]:
    return [one.message for check in found.checks if check.kind == "parameters" for one in check.details]


@pytest.mark.parametrize("words", SAID)
def test_what_is_to_be_weighed_is_said_of_the_first_and_not_of_the_second(words: str) -> None:
    columns, first, second = SAID[words]
    assert any(words in one for one in _said(released(columns.split(), *first)))
    assert not any(words in one for one in _said(released(columns.split(), *second)))


@pytest.mark.parametrize(("technique", "said"), [("homomorphic", False), ("order_preserving", True)])
def test_ciphertexts_that_are_drawn_anew_join_no_releases(technique: str, said: bool) -> None:
    """The key pair of a project lets its releases be added up; equal values have no equal ciphertexts in any of them."""
    ranges = {"minimum": 0, "maximum": 100_000} if said else {}
    given = {
        "technique": f"encryption.{technique}",
        "columns": ["费用"],
        "parameters": {"joinable": "project", **ranges},
    }
    recipe = Recipe.from_data({"recipe": 1, "steps": [given]})
    assert [one.code for one in review(recipe)] == ["joins_releases"] * said
    assert (given["technique"] in KEYED) == said


def test_hashes_that_came_with_the_source_are_named() -> None:
    import hashlib

    hashed = [{**row, "科室": hashlib.md5(row["科室"].encode()).hexdigest()} for row in patients()]
    words = "which came with the data"
    assert any(words in one for one in _said(released(["性别", "科室"], rows=hashed)))
    assert not any(words in one for one in _said(released(["性别", "科室"])))


def test_nothing_is_said_where_nothing_is_to_be_weighed() -> None:
    found = released(["病历号", "诊断"], *_hash())
    assert not [check for check in found.checks if check.kind == "parameters"]


@pytest.mark.parametrize(
    ("steps", "same_seed", "named"),
    [
        ([step("randomization.noise", "费用", spread=0.3, unit="deviation")], [1], True),
        ([step("randomization.noise", "费用", spread=0.3, unit="deviation")], [], False),
        ([step("generalization.intervals", "费用", width=500)], [1], False),
    ],
)
def test_a_seed_that_repeats_is_named_where_something_is_drawn(
    steps: list[dict[str, Any]], same_seed: list[int], named: bool
) -> None:
    said = _said(released(["费用"], *steps, same_seed=same_seed))
    assert any("with the seed of run" in one for one in said) is named
