"""GB/T 37964 5.4.3: thirteen factors lead to a ranking, and every technique that is not advised says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques import catalogue
from techniques.advice import QUESTIONS, Answers, ColumnAnswers, DatasetAnswers, Recommendation, advise
from techniques.advice.questions import SCENES
from techniques.advice.scores import DIMENSIONS, scores
from techniques.catalogue.table_c1 import TABLE_C1
from techniques.cli.main import main
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import EngineError


def ranked(dataset: dict[str, Any] | None = None, **column: Any) -> dict[str, Recommendation]:
    given_ = {"role": "quasi_identifier", "data_type": "number"} | column
    answers = Answers.from_data({"dataset": dataset or {}, "columns": {"c": given_}})
    return {one.technique: one for one in advise(answers).columns["c"]}


def advised(found: dict[str, Recommendation]) -> list[str]:
    return [key for key, one in found.items() if one.advised]


def why_not(found: dict[str, Recommendation], key: str) -> set[str]:
    return {reason.factor for reason in found[key].reasons_against}


def test_the_questions_are_the_factors_of_the_standard() -> None:
    assert [question.letter for question in QUESTIONS] == list("abcdefghijklm")
    fields = {
        "dataset": set(DatasetAnswers.model_fields) - {"weights", "scene"},
        "column": set(ColumnAnswers.model_fields) - {"role", "data_type"},
    }
    for scope, names in fields.items():
        assert {q.name for q in QUESTIONS if q.scope == scope} == names
    assert all(q.text and q.help and (q.kind == "boolean") == (not q.options) for q in QUESTIONS)


def test_table_c1_has_all_rows() -> None:
    rows = {row.row for row in TABLE_C1.values()}
    assert len(TABLE_C1) == len(rows) == 19
    assert {"抽样", "聚合", "数据合成", "差分隐私模型", "K-匿名"} <= rows


def test_identifiers_that_must_join_and_come_back() -> None:
    """A key over several tables: deterministic encryption first, nothing random, nothing that merges values."""
    found = ranked(
        role="direct_identifier", data_type="text", unique=True, reversible=True, integrity="referential"
    )
    assert advised(found)[0] == "encryption.deterministic"
    assert why_not(found, "pseudonymization.random") == {"i"}
    assert why_not(found, "pseudonymization.keyed_hash") == {"e"}
    assert why_not(found, "suppression.mask") == {"d", "e", "i"}
    assert "role" in why_not(found, "as_is")


def test_numbers_whose_mean_counts() -> None:
    found = ranked(statistics=True, noise_allowed=True, equal_values=True)
    assert {"h", "k"} == {reason.factor for reason in found["randomization.microaggregation"].reasons_for}
    assert "k" in why_not(found, "randomization.noise")
    truthful = ranked(statistics=True, noise_allowed=False)
    assert {"randomization.noise", "randomization.permutation", "synthesis.sequential"} <= {
        key for key in truthful if "l" in why_not(truthful, key)
    }
    ordered = ranked(order=True, reversible=True, role="quasi_identifier")
    assert advised(ordered) == ["encryption.order_preserving"]


def test_what_is_not_needed_goes() -> None:
    found = ranked(role="direct_identifier", data_type="text", deletable=True)
    assert advised(found)[0] == "suppression.remove_column"
    assert why_not(
        ranked(role="direct_identifier", data_type="text", deletable=False), "suppression.remove_column"
    ) == {"c"}


def test_the_dataset_speaks_too() -> None:
    found = ranked({"quantify_risk": True, "cost": "low"})
    assert "m" in why_not(found, "model.k_anonymity")
    bounded = ranked({"quantify_risk": True, "cost": "high"}, equal_values=True)
    assert bounded["model.k_anonymity"].score > bounded["generalization.rounding"].score
    assert why_not(ranked({"aggregate_enough": False}), "statistical.aggregation") == {"b"}
    assert (
        advised(ranked({"aggregate_enough": True, "weights": {"security": 5.0}}))[0]
        == "statistical.aggregation"
    )


def test_dimensions_are_those_of_the_annex() -> None:
    """T/ISC 0078 Annex A: what it calls high and low."""
    by_key = {spec.key: scores(spec) for spec in catalogue.techniques()}
    high = [
        "encryption.secret_sharing",
        "encryption.deterministic",
        "encryption.order_preserving",
        "encryption.homomorphic",
    ]
    low = [
        "statistical.aggregation",
        "suppression.mask",
        "statistical.sampling",
        "randomization.noise",
        "generalization.rounding",
    ]
    assert min(by_key[k].availability for k in high) > max(by_key[k].availability for k in low)
    slow = {"encryption.homomorphic", "encryption.secret_sharing"}
    assert {key for key, one in by_key.items() if one.timeliness == 1} == slow
    strong = ["statistical.aggregation", *slow]
    weak = [
        "encryption.deterministic",
        "encryption.order_preserving",
        "suppression.mask",
        "pseudonymization.random",
    ]
    assert min(by_key[k].security for k in strong) > max(by_key[k].security for k in weak)
    assert all(1 <= getattr(one, name) <= 5 for one in by_key.values() for name in DIMENSIONS)


def test_scenes_of_use() -> None:
    """T/ISC 0078 Annex B."""

    def suits(scene: str, **column: Any) -> set[str]:
        found = ranked({"scene": scene}, **column)
        return {
            key
            for key, one in found.items()
            if one.advised and any(r.factor == "scene" for r in one.reasons_for)
        }

    assert {"generalization.intervals", "randomization.microaggregation"} <= suits("statistics")
    assert {"randomization.noise", "randomization.permutation", "synthesis.sequential"} <= suits(
        "development"
    )
    text = {"role": "direct_identifier", "data_type": "text"}
    assert suits("display", **text) == suits("operations", **text)
    assert "suppression.mask_identifier" in suits("display", **text)
    assert why_not(ranked({"scene": "display"}, **text), "encryption.deterministic") == {"scene"}
    assert {option.value for option in SCENES} == {"statistics", "development", "display", "operations"}


column_answers = st.fixed_dictionaries(
    {"role": st.sampled_from(list(AttributeRole)), "data_type": st.sampled_from(list(DataType))},
    optional={
        q.name: st.booleans() if q.kind == "boolean" else st.sampled_from([o.value for o in q.options])
        for q in QUESTIONS
        if q.scope == "column"
    },
)


@given(column_answers)
@settings(max_examples=60)
def test_every_technique_is_ranked_or_says_why_not(column: dict[str, Any]) -> None:
    advice = advise(Answers.from_data({"columns": {"c": column}}))
    found = advice.columns["c"]
    # Preparation protects nobody, so nobody is advised to use it as a treatment, or told why not.
    ranked = {spec.key for spec in catalogue.techniques()} - {"preparation.normalise"}
    assert {one.technique for one in found} == ranked
    verdicts = [one.advised for one in found]
    assert verdicts == sorted(verdicts, reverse=True)
    best = [one.score for one in found if one.advised]
    assert best == sorted(best, reverse=True)
    assert all(reason.text for one in found for reason in (*one.reasons_for, *one.reasons_against))
    for one in found:
        spec = catalogue.get(one.technique)
        if one.advised:
            assert AttributeRole(column["role"]) in spec.roles
            assert not (column.get("order") and spec.claims and spec.claims.order.value != "yes")
            assert not (column.get("reversible") and spec.claims and spec.claims.reversible.value == "no")


def test_advice_is_evidence() -> None:
    answers = Answers.from_data(
        {"columns": {"c": {"role": "quasi_identifier", "data_type": "date", "order": True}}}
    )
    once, again = advise(answers).as_dict(), advise(answers).as_dict()
    assert once == again
    assert once["answers"]["columns"]["c"]["order"] is True
    other = Answers.from_data({"columns": {"c": {"role": "quasi_identifier", "data_type": "date"}}})
    assert advise(other).as_dict()["sha256"] != once["sha256"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise"]) == 0
    assert capsys.readouterr().out.count("column: ") == 10
    assert main(["advise", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 13
    path = tmp_path / "answers.yaml"
    path.write_text(
        "dataset: {cost: high}\ncolumns:\n  身份证号: {role: direct_identifier, data_type: text, unique: true}\n"
    )
    assert main(["advise", str(path), "--all"]) == 0
    printed = capsys.readouterr().out
    assert "身份证号" in printed
    assert "not   suppression.mask" in printed
    assert main(["advise", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["advice"] == 1
    path.write_text("columns: {a: {role: direct_identifier, data_type: text, order: maybe}}")
    assert main(["advise", str(path)]) == 2
    assert "columns.a.order" in capsys.readouterr().err
    with pytest.raises(EngineError):
        Answers.from_data([])
