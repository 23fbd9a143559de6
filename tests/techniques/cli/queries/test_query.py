"""``deid query``: answers from an account."""

from __future__ import annotations

import json

import pytest

from techniques.cli.main import main

COUNT = {"kind": "count", "by": [{"column": "sex", "values": ["f", "m"]}], "epsilon": 0.5}


@pytest.fixture
def visits(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text(
        "who,sex,pay\n" + "".join(f"p{n // 2},{'fm'[n % 4 > 1]},{n % 90}\n" for n in range(4000)),
        encoding="utf-8",
    )
    return path


def asked(visits, question, *more, subject="who", budget=None):
    opening = ["--open", "--budget", json.dumps(budget)] if budget else []
    asking = ["--ask", json.dumps(question)] if question else []
    return main(
        [
            "query",
            str(visits),
            str(visits.with_suffix(".ledger")),
            "--subject",
            subject,
            *opening,
            *asking,
            *more,
        ]
    )


def shown(capsys):
    return json.loads(capsys.readouterr().out)


def test_an_account_from_its_opening_to_its_end(visits, capsys):
    assert asked(visits, COUNT, "--json", budget={"epsilon": 1}) == 0
    first = shown(capsys)
    assert [cell["labels"] for cell in first["answer"]["cells"]] == [["f"], ["m"]]
    # 1,000 persons of each: a person counts once.
    assert all(
        900 < cell["value"] < 1100 and cell["low"] <= cell["value"] <= cell["high"]
        for cell in first["answer"]["cells"]
    )
    assert (first["repeated"], first["account"]["left_epsilon"]) == (False, "0.5")
    assert "B.2.2" in first["clause"]
    said = {one["code"]: one for one in first["statements"]}
    assert said["guarantee"]["params"] == {"times": "1.649", "epsilon": "0.5"}
    assert "(e^ε, ε = 0.5)" in said["guarantee"]["text"]
    assert said["laplace"]["formula"] == "b = S/ε = 2, S = 1"
    assert asked(visits, COUNT, "--json") == 0
    again = shown(capsys)
    assert (again["answer"], again["repeated"], again["account"]["left_epsilon"]) == (
        first["answer"],
        True,
        "0.5",
    )
    dear = {**COUNT, "epsilon": 0.6}
    assert asked(visits, dear, "--price", "--json") == 0
    priced = shown(capsys)
    assert (priced["affordable"], priced["clause"]) == (False, first["clause"])
    # P(|X| > 5) = 2 q^6/(1 + q) is below 0.05 with q = e^-0.6, and that of 4 is not.
    assert [(one["code"], one["params"]["error"]) for one in priced["expected"]] == [("expected_count", 5)]
    assert asked(visits, dear, "--price") == 0
    assert "noise moves the number of a group by at most 5." in capsys.readouterr().out
    assert asked(visits, dear) == 2
    assert "it costs ε = 0.6, and 0.5 is left" in capsys.readouterr().err
    assert asked(visits, None) == 0
    assert (
        "account: ε = 0.5 of 1, δ = 0 of 0 spent by 1 answers, ε = 0.5 left; sequential composition, neighbours by add_remove"
        in capsys.readouterr().out
    )


def test_an_answer_in_words(visits, capsys):
    question = {
        "kind": "mean",
        "column": "pay",
        "lower": 0,
        "upper": 100,
        "step": 1,
        "error": 2,
        "least_count": 1000,
    }
    assert asked(visits, question, budget={"epsilon": 5}) == 0
    words = capsys.readouterr().out
    assert "Values are clamped to 0 … 100 and rounded to 1" in words
    assert "with at most 1 row in each of at most 1 group" in words
    assert "GB/T 37964-2019 B.2.2, B.2.4; T/ISC 0078-2025 10.4" in words.splitlines()
    assert "steps of the answer. b = S/ε = " in words
    assert "S = 50; b = S/ε = " in words
    assert asked(visits, question) == 0
    assert "asked before: the stored answer, at no cost" in capsys.readouterr().out


def test_a_count_without_any_column_counts_persons(visits, capsys):
    assert asked(visits, {"kind": "count", "epsilon": 1}, "--json", budget={"epsilon": 1}) == 0
    (cell,) = shown(capsys)["answer"]["cells"]
    assert 1950 < cell["value"] < 2050


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"kind": "count", "epsilon": 1, "where": {"age": ["1"]}}, "age"),
        ({"kind": "count"}, "epsilon or the error"),
        ({"kind": "median", "epsilon": 1}, "kind"),
    ],
)
def test_a_question_that_cannot_be_answered_costs_nothing(visits, capsys, question, said):
    assert asked(visits, None, budget={"epsilon": 1}) == 0
    assert asked(visits, question) == 2
    lines = visits.with_suffix(".ledger").read_text().splitlines()
    # What is no question at all leaves no line; one of a column that is not there does.
    assert [json.loads(line).get("code") for line in lines[1:]] == (
        ["unknown_column"] if said == "age" else []
    )
    assert said in capsys.readouterr().err
    capsys.readouterr()
    assert asked(visits, None, "--json") == 0
    assert shown(capsys)["account"]["spent_epsilon"] == "0"


def test_other_persons_have_another_account(visits, capsys):
    assert asked(visits, COUNT, budget={"epsilon": 1}) == 0
    assert asked(visits, COUNT, subject="rows") == 2
    assert "another table" in capsys.readouterr().err
    visits.write_text(visits.read_text() + "p,f,1\n")
    assert asked(visits, COUNT) == 2


def test_parts_are_paid_by_the_dearest(visits, capsys):
    budget = {"epsilon": 1, "part": "sex"}
    for sex in "fm":
        assert (
            asked(
                visits,
                {"kind": "count", "where": {"sex": [sex]}, "epsilon": 1},
                subject="rows",
                budget=budget,
            )
            == 0
        )
        budget = None
    assert (
        "ε = 1 of 1, δ = 0 of 0 spent by 2 answers, ε = 0 left; sequential composition, parts by sex,"
        in capsys.readouterr().out
    )


def test_a_choice_says_beside_itself_how_far_it_may_be_off(visits, capsys):
    question = {"kind": "quantile", "column": "pay", "quantile": 0.5, "lower": 0, "upper": 100, "step": 1}
    assert asked(visits, {**question, "epsilon": 1}, budget={"epsilon": 1}) == 0
    # 2 S/ε · ln(101/0.05)/b with S = 1, b = 2
    assert "(at most 7.6 rows worse than the best)" in capsys.readouterr().out.splitlines()[0]
