"""Risk by entropy beside the three scales: the same figures as the engine's, per table, without a verdict."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from projects.verification.gate.measurement import measure
from projects.verification.gate.scales.entropy import entropy_rows, entropy_shown, entropy_statements
from projects.verification.gate.scales.presentation import scale_rows
from projects.verification.reports.gate import Entropy, EntropyFigures, Report
from techniques.cli.main import main
from techniques.disclosure_risk.scales.attack import Attack
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.tables import Judged, file_of, judged, people, written_of


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def _without_age() -> Judged:
    return judged(written=written_of(people(), "性别", "诊断"))


def test_it_stands_beside_the_scales_without_a_verdict():
    report = _without_age().found.report
    *three, row, _guessing = scale_rows(report)
    assert [one.has_threshold for one in three] == [True] * 3
    assert (row.has_threshold, row.passed) == (False, None)
    assert row.value in row.plain
    assert report.entropy is not None
    assert report.entropy.result.risk < report.entropy.source.risk


def test_the_attacker_of_the_plan_is_the_one_of_the_result():
    """Another assumption gives other figures, and the sentence under them says which."""
    bold = Attack(known=0.9, most_known=2)
    default, other = (
        judged(case=case, written=written_of(people(), "性别", "诊断")).found.report.entropy
        for case in ({}, {"attack": bold})
    )
    assert (other.attack.known, other.attack.most_known) == (0.9, 2)
    assert other.source.risk != default.source.risk
    assert any(
        "up to 2 columns is known with a probability of 90 %" in one for one in entropy_statements(other)
    )


def test_the_command_says_the_same_figures(tmp_path, capsys):
    found = _without_age()
    for name, rows in (("before", found.source), ("after", found.written)):
        (tmp_path / f"{name}.csv").write_bytes(file_of(rows).open().read())
    arguments = [tmp_path / "after.csv", "--qi", "性别", "--sensitive", "诊断", "--subject", "rows", "--json"]
    main(["evaluate", *map(str, arguments), "--original", str(tmp_path / "before.csv")])
    said = json.loads(capsys.readouterr().out)["entropy"]["result"]
    by_portal = found.found.report.entropy
    assert by_portal is not None
    assert said["likelihood"] == by_portal.result.likelihood
    # The portal knows that the age was a quasi-identifier of the source, of which nothing is left: it weighs nothing.
    assert said["risk"] == by_portal.result.risk


def test_the_formula_has_the_values_of_the_path():
    (row,) = entropy_rows(_by_person(_visits()).found.report)
    assert row.formula is not None
    assert row.formula.substituted.endswith(f"= {row.value}")
    assert "persons" in {sign: meaning for sign, meaning, _value in row.formula.terms}["ΔE_i"]


def test_each_table_has_its_own():
    one, other = judged(), _without_age()
    report = measure({"a": one.case, "b": other.case}, [], lambda share: None).report
    assert [row.label for row in entropy_rows(report)] == [
        "a: Risk by information entropy",
        "b: Risk by information entropy",
    ]
    assert [shown["table"] for shown in entropy_shown(report)] == ["a", "b"]
    assert [len(shown["path"]) for shown in entropy_shown(report)] == [2, 1]


@pytest.mark.parametrize(
    ("before", "after", "lowered"), [(0.5, 0.5, False), (0.5, 0.4, True), (0.5, 0.6, False), (0, 0, False)]
)
def test_what_is_as_it_was_is_not_lowered(before, after, lowered):
    entropy = Entropy(source=EntropyFigures(risk=before), result=EntropyFigures(risk=after), attack=None)
    (row,) = entropy_rows(Report(entropy=entropy))
    assert ("The treatment lowered it." in row.plain) is lowered
    assert ("The treatment did not lower it." in row.plain) is not lowered


def test_what_cannot_be_measured_says_why():
    found = judged(key=("姓名",)).found.report
    assert found.entropy is None  # the risk itself could not be measured
    assert entropy_rows(found) == []


def test_many_columns_that_tell_nearly_everything_are_said_to():
    step = {"gain": 0.1, "frequency": 1, "leakage": 1}

    def said(*severities):
        path = [{"column": f"q{n}", "severity": one, **step} for n, one in enumerate(severities)]
        return entropy_statements(Entropy.model_validate({"result": {"path": path}}))[1:2]

    (text,) = said(0.3, 0.6, 0.85, 0.93, 0.96, 0.97, 0.98, 0.99)
    assert "the first 4 of the 8 quasi-identifiers" in text
    assert "93 %" in text
    assert "99 %" in text
    assert not any("Many columns" in one for one in said(0.3, 0.6, 0.7, 0.75, 0.8, 0.82, 0.83, 0.84))
    assert not any("Many columns" in one for one in said(0.6, 0.95))


def along(*severities, **more):
    """The statements of a path of such severities."""
    path = [
        {"column": f"q{n}", "severity": one, "gain": 0.25, "frequency": 1, "leakage": 1}
        for n, one in enumerate(severities)
    ]
    figures = {"path": path, "average": more.pop("average", None)}
    return entropy_statements(
        Entropy.model_validate({"result": figures, "survival": {"q0": 1.0, "q1": 0.5}} | more)
    )


@pytest.mark.parametrize(("columns", "said"), [(7, False), (8, True)])
@pytest.mark.parametrize(("last", "enough"), [(0.9, True), (0.899, False)])
def test_from_eight_columns_on_nine_tenths_are_nearly_everything(columns, last, said, enough):
    (*_others,) = found = [one for one in along(*[0.5] * (columns - 1), last) if "Many columns" in one]
    assert bool(found) is (said and enough)
    if found:
        assert "the first 8 of the 8" in found[0]
        assert "90 % of what singles" in found[0]


@pytest.mark.parametrize("persons", [False, True])
def test_the_path_is_said_of_persons_or_records(persons):
    whom = "singles out a person" if persons else "singles out a record"
    alone, several = along(0.4, persons=persons)[0], along(0.4, 0.75, persons=persons)[0]
    assert alone.startswith("Only q0 counts as a quasi-identifier; it reveals 40 %")
    assert several.startswith("On its own, no quasi-identifier reveals more than q0: 40 %")
    assert several.endswith("All 2 together reveal 75 % of it.")
    assert whom in alone
    assert whom in several


@pytest.mark.parametrize(
    ("severities", "average", "said"),
    [
        ((0.4,), 0.125, "As the mean over the one set of quasi-identifiers the risk is 0.125."),
        ((0.4,), 0, "As the mean over the one set of quasi-identifiers the risk is 0."),
        ((0.4, 0.5), 0.125, "As the mean over all 3 sets of the quasi-identifiers the risk is 0.125."),
        ((0.4, 0.5, 0.6), None, "The mean over all 7 sets of the quasi-identifiers was not worked out."),
    ],
)
def test_the_mean_over_all_sets_is_said_with_their_number(severities, average, said):
    *_path, mean, survived, basis, limits = along(*severities, average=average)
    assert mean == said
    assert survived.endswith("survived: q0 (100 %), q1 (50 %).")
    assert basis.startswith("It rests on: GB/T 37964-2019 4.3; likelihood times impact")
    assert "it can be low while someone stands alone" in limits


def test_what_is_assumed_of_the_attacker_is_said_where_it_is_known():
    attack = {"known": 0.3, "most_known": 16, "sensitive": 0.5, "quasi": 0.05}
    plain, assumed = along(0.4), along(0.4, attack=attack)
    assert len(assumed) == len(plain) + 1
    assert "up to 16 columns is known with a probability of 30 %" in assumed[1]
    assert "sensitive attribute weighs 0.5, a quasi-identifier 0.05." in assumed[1]


def test_without_a_path_or_with_a_problem_nothing_is_said():
    assert entropy_statements(Entropy()) == []
    path = [{"column": "q", "severity": 0.5, "gain": 0.5, "frequency": 1, "leakage": 1}]
    unable = Entropy.model_validate({"result": {"path": path}, "problem": {"message": "x"}})
    assert entropy_statements(unable) == []
    (row,) = entropy_rows(Report(entropy=unable))
    assert (row.value, row.plain, row.formula) == ("not determined", "x", None)


def test_the_drawing_has_each_column_from_what_was_known_before():
    path = [
        {"column": "a", "severity": 0.5, "gain": 0.5, "frequency": 1, "leakage": 1},
        {"column": "b", "severity": 0.75, "gain": 0.25, "frequency": 1, "leakage": 1},
    ]
    figures = {
        "source": {"likelihood": 0.5, "impact": 0.25},
        "result": {"path": path, "likelihood": 0.4, "impact": 0.2},
    }
    (shown,) = entropy_shown(Report(entropy=Entropy.model_validate(figures)))
    assert shown["path"] == [("a", 0.0, 0.5), ("b", 0.5, 0.75)]
    assert shown["points"] == [("Source", 0.5, 0.25, False), ("Result", 0.4, 0.2, True)]
    assert shown["points_caption"].startswith("Likelihood: 0.5 → 0.4, impact: 0.25 → 0.2.")
    assert entropy_shown(Report(entropy=Entropy())) == []


def test_the_formula_is_that_of_the_result():
    (row,) = entropy_rows(_without_age().found.report)
    found = _without_age().found.report.entropy
    assert found is not None
    assert found.attack is not None
    assert row.formula is not None
    assert row.formula.substituted.endswith(f"= {row.value}")
    (plain,) = entropy_rows(Report(entropy=found.model_copy(update={"attack": None})))
    assert plain.formula is not None
    assert (len(row.formula.terms), plain.formula.terms) == (7, row.formula.terms[:3])
