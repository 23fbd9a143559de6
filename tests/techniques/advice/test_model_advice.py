"""What follows from plain answers: attacker, k, average, l and t, each with its reason and clause."""

from __future__ import annotations

import itertools
import math

import pytest

from techniques.advice.models import MODEL_QUESTIONS, ModelAnswers, ModelFacts, advise_model
from techniques.core.messages import EngineError

PUBLIC = ModelFacts(sharing_type="public", threshold=0.05, k=5)
CONTROLLED = ModelFacts(
    sharing_type="controlled", context=0.3, threshold=0.05, k=4, max_risk=0.33, average_risk=0.2
)


def advised(facts: ModelFacts = CONTROLLED, **answers: object) -> dict:
    return advise_model(ModelAnswers.from_data(answers), facts).as_dict()["advice"]


@pytest.mark.parametrize(
    ("answers", "attacker"),
    [
        ({}, "prosecutor"),
        ({"knows": True, "many": True, "sample": True}, "prosecutor"),
        ({"knows": False}, "prosecutor"),
        ({"knows": False, "sample": True}, "journalist"),
        ({"knows": False, "sample": True, "many": True}, "marketer"),
        ({"sample": True}, "prosecutor"),
    ],
)
def test_who_the_attacker_is(answers: dict, attacker: str) -> None:
    assert advised(**answers)["attacker"] == attacker
    assert advised(PUBLIC, **answers)["attacker"] == "prosecutor"


def test_the_numbers_keep_the_threshold_in_the_context() -> None:
    public = advised(PUBLIC)
    assert (public["measure"], public["settings"]["k"]) == ("maximum", 20)
    settings = advised()["settings"]
    assert settings["k"] == 4
    assert settings["average_risk"] == pytest.approx(0.05 / 0.3, abs=1e-5)
    for context, threshold, k in itertools.product((0.05, 0.3, 0.6, 1.0), (0.05, 0.075, 0.3), (2, 5)):
        facts = CONTROLLED.model_copy(update={"context": context, "threshold": threshold, "k": k})
        found = advised(facts)["settings"]
        assert found["average_risk"] * context <= threshold + 1e-12
        assert found["k"] >= max(k, 3), "the cap of the strict average asks for three"
        maximum = advised(facts.model_copy(update={"average_risk": None}))["settings"]
        assert context / maximum["k"] <= threshold + 1e-12


def test_deeper_harm_is_never_less_strict() -> None:
    facts = PUBLIC.model_copy(update={"threshold": 0.2})
    assert [advised(facts, harm=harm)["settings"]["k"] for harm in ("high", "medium", "low")] == [20, 14, 10]
    assert advised(PUBLIC, harm="low")["settings"]["k"] == 20, "the project's own threshold stays"


def test_sensitive_columns_get_what_their_answers_ask_for() -> None:
    facts = CONTROLLED.model_copy(update={"distinct": {"a": 9, "b": 3, "c": 1, "d": 9, "e": 9}})
    columns = {
        "a": {"reveals": True, "skewed": False}, "b": {"skewed": False}, "c": {"reveals": True}, "d": {"reveals": False},
        "e": {"skewed": True, "ordered": True},
    }  # fmt: skip
    found = advised(facts, harm="high", columns=columns)
    assert found["technique"] == "model.t_closeness"
    assert found["settings"]["sensitive"] == {
        "a": {"distinct": 4},
        "b": {"distinct": 3},
        "e": {"t": 0.2, "distance": "ordered"},
    }
    assert advised(columns={"a": {"reveals": True, "skewed": False}})["technique"] == "model.l_diversity"
    # Without an answer the stricter reading holds.
    assert advised(columns={"a": {}})["settings"]["sensitive"]["a"].keys() == {"t", "distance"}
    assert advised()["technique"] == "model.k_anonymity"


def test_everything_has_a_reason_with_its_values_and_a_clause() -> None:
    found = advised(harm="medium", columns={"a": {"skewed": True}, "b": {"skewed": False}})
    assert {part["topic"] for part in found["parts"]} >= {"attacker", "threshold", "average", "k", "t", "l"}
    for part in found["parts"]:
        assert part["message"] % part["params"] if part["params"] else part["message"]
        assert part["clause"].startswith("B.1")
    assert all(question.text.endswith("?") for question in MODEL_QUESTIONS)


def test_the_hash_covers_answers_facts_and_advice_and_wrong_answers_are_named() -> None:
    one = advise_model(ModelAnswers(), CONTROLLED).as_dict()["sha256"]
    assert one == advise_model(ModelAnswers.from_data({}), CONTROLLED).as_dict()["sha256"]
    assert one != advise_model(ModelAnswers(knows=True), CONTROLLED).as_dict()["sha256"]
    assert math.isclose(CONTROLLED.threshold, 0.05)
    with pytest.raises(EngineError) as error:
        ModelAnswers.from_data({"columns": {"a": {"reveals": "perhaps"}}})
    assert "a" in str(error.value.params)


def said(facts: ModelFacts = CONTROLLED, **answers: object) -> dict[tuple[str, str], str]:
    """(topic, column) → the sentence with its figures."""
    return {
        (one["topic"], one["column"]): one["message"] % one["params"]
        for one in advised(facts, **answers)["parts"]
    }


@pytest.mark.parametrize(
    ("facts", "answers", "words"),
    [
        (PUBLIC, {"knows": False}, "Everybody can try with public data"),
        (CONTROLLED, {}, "It was not ruled out that somebody knows"),
        (CONTROLLED, {"knows": True}, "Somebody may know that a person is in the data"),
        (CONTROLLED, {"knows": False, "many": True}, "what pays is matching many people"),
        (CONTROLLED, {"knows": False, "sample": True}, "and it is a sample"),
        (CONTROLLED, {"knows": False, "sample": False}, "but it is no sample of a larger group either"),
        (CONTROLLED, {"knows": False}, "nobody said whether it is a sample of a larger group"),
    ],
)
def test_of_the_attacker_nothing_is_said_that_nobody_answered(
    facts: ModelFacts, answers: dict, words: str
) -> None:
    cases = [
        (PUBLIC, {"knows": False}),
        *((CONTROLLED, one) for one in ({}, {"knows": True}, {"knows": False, "many": True}, {"knows": False, "sample": True},
                                        {"knows": False, "sample": False}, {"knows": False})),
    ]  # fmt: skip
    assert [case for case in cases if words in said(*case[:1], **case[1])["attacker", ""]] == [
        (facts, answers)
    ]


def test_of_columns_it_is_said_what_their_values_and_answers_allow() -> None:
    facts = CONTROLLED.model_copy(update={"distinct": {"none": 0, "one": 1, "three": 3, "nine": 9}})
    varied = {"reveals": True, "skewed": False}
    found = said(facts, harm="high", columns=dict.fromkeys(("none", "one", "three", "nine"), varied))
    texts = {column: text for (_name, column), text in found.items() if column}
    assert [column for column, text in texts.items() if "no two different values" in text] == ["none", "one"]
    assert "only 3 different values, so every class must hold all of them" in texts["three"]
    assert "at least 4 different values" in texts["nine"]
    technique = found["technique", ""]
    assert "l-diversity holds on top" in technique
    single = said(facts, columns={"one": {"reveals": True}})["technique", ""]
    assert "In no column classes need to vary, or can" in single, (
        "its value does harm, and no class can hide it"
    )
    skewed = said(facts, columns={"nine": {"reveals": True, "skewed": True}})
    assert "t-closeness holds on top" in skewed["technique", ""]
    assert "Rare or bad values stand out" in skewed["t", "nine"]
    assert "Nobody has ruled out" in said(facts, columns={"nine": {"reveals": True}})["t", "nine"]
    assert "does no harm" in said(facts, columns={"nine": {"reveals": False}})["none", "nine"]


@pytest.mark.parametrize("context", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("average", [None, 0.2])
def test_the_sizes_that_are_said_are_those_that_the_threshold_asks_for(
    context: float, average: float | None
) -> None:
    facts = CONTROLLED.model_copy(update={"context": context, "average_risk": average})
    found = said(facts)
    if average is None:
        k = max(math.ceil(context / 0.05 - 1e-9), 1)
        assert f"{context:g} / 0.05, rounded up, " in found["k", ""]
        assert advised(facts)["settings"]["k"] >= k
        assert ("average", "") not in found
    else:
        bound = min(average, 0.05 / context)
        assert f": {round(1 / bound, 2):g} persons to a class on average" in found["average", ""]


def test_which_threshold_is_taken_is_said_with_both() -> None:
    facts = PUBLIC.model_copy(update={"threshold": 0.08})
    stricter = said(facts, harm="high")["threshold", ""]
    assert "asks for a threshold of 0.05, which is stricter than 0.08" in stricter
    kept = said(facts, harm="low")["threshold", ""]
    assert "0.08, by which the gate judges, is at least as strict" in kept
    assert (
        "The overall threshold by which the gate judges: that of the project" in said(facts)["threshold", ""]
    )
    controlled = said()
    assert "smaller than the cap allows (3) nor than the project's target (4)" in controlled["k", ""]
