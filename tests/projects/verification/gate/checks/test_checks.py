"""A check is one row; verification and re-assessment run the same ones."""

from __future__ import annotations

import ast
import io
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import translation

import projects
from projects.monitoring.models import Reassessment
from projects.monitoring.presentation import gate_rows as remeasured_rows
from projects.objective.targets.risk import RiskTargets
from projects.verification.gate.case import Case, Table
from projects.verification.gate.check import TableCheck
from projects.verification.gate.checks import CHECKS, check_of
from projects.verification.gate.measurement import measure
from projects.verification.presentation import gate_rows
from projects.verification.reports import stored
from projects.verification.wording import signed, translated
from projects.workflow import State
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories as released

pytestmark = pytest.mark.django_db
STORED = [
    "integrity", "residual", "k", "max_risk", "average_risk", "overall", "diversity", "closeness", "suppression",
    "starred_rows", "utility", "join", "joined",
]  # fmt: skip


def test_what_is_stored_of_a_check_never_changes():
    assert [check.kind for check in CHECKS if check.kind in STORED] == STORED


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.kind)
def test_every_check_says_what_it_is_in_both_languages(check):
    assert check_of(check.kind) is check
    assert check.clause
    for text in (check.label, check.meaning):
        with translation.override("zh-hans"):
            chinese = str(text)
        with translation.override("en"):
            assert str(text) not in ("", chinese)


def clinic(before, after, **targets):
    """A table in which q is the quasi-identifier, and what became of it."""

    def table(content):
        return Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), content.count(b"\n") - 1)

    risk = {"k": 2, "measure": "max", "max_risk": 0.5, "overall_threshold": 0.5} | targets
    steps = [{"technique": "as_is", "columns": ["q", "s"], "parameters": {"reason": "for this test"}}]
    return Case(
        source=table(before.encode()),
        result=table(after.encode()),
        recipe=Recipe.from_data({"recipe": 1, "steps": steps}),
        roles={"q": AttributeRole.QUASI_IDENTIFIER, "s": AttributeRole.SENSITIVE_ATTRIBUTE},
        risk=RiskTargets.model_validate(risk),
        utility=[],
        file_name="t.csv",
        result_sha256="same",
        read_sha256="same",
        rows_in=before.count("\n") - 1,
        sharing_type="controlled",
    )


def measured(case):
    return measure({"": case}, [], lambda share: None)


class Always(TableCheck):
    """A check of this test: every result passes."""

    kind = "always"
    label = meaning = "Of this test"
    clause = "5.5"

    def measure(self, of, tick):
        return [self.row(passed=True, measured=of.case.result.rows, unit="count")]


@pytest.fixture
def added():
    CHECKS.append(Always())
    yield
    CHECKS.pop()


def test_a_new_check_is_missing_neither_in_verification_nor_in_reassessment(people, added):
    story = released.make_story(people, "Visits for a study")
    story.reach(State.MONITORING)
    sealed = story.project.verifications.get()
    assert [result.passed for result in sealed.results if result.kind == "always"] == [True]
    again = reported(story, people).remeasured
    assert [(one.kind, one.table) for one in again.checks] == [
        (one.kind, one.table) for one in sealed.results
    ]
    (mine,) = (one for one in again.checks if one.kind == "always")
    assert (mine.met, mine.measured, mine.approved) == (True, mine.measured, mine.measured)


def test_records_kept_as_stars_count_against_the_limit_like_removed_ones():
    """Ten of a hundred are starred and five are gone; a limit that only the removed ones keep is not kept."""
    text = "q,s\n" + "1,a\n" * 90 + "2,b\n" * 10
    result = "q,s\n" + "1,a\n" * 85 + "*,b\n" * 10

    def outcome(limit, written=result):
        found = measured(clinic(text, written, suppression_limit=limit)).checks
        return {
            one.kind: (one.passed, one.measured, one.formula)
            for one in found
            if "supp" in one.kind or "star" in one.kind
        }

    assert outcome(0.1) == {
        "suppression": (True, 0.05, "5 / 100 = 0.05"),
        "starred_rows": (False, 0.15, "(5 + 10) / 100 = 0.15"),
    }
    assert outcome(0.15)["starred_rows"][0] is True
    # Where no record was kept that way there is nothing to say.
    assert "starred_rows" not in outcome(0.1, "q,s\n" + "1,a\n" * 95)
    found = measured(clinic(text, result, suppression_limit=0.1))
    row = next(row for row in gate_rows(found.checks, found.report) if row.kind == "starred_rows")
    assert row.remedies
    assert [(sign, value) for sign, _meaning, value in row.formula.terms] == [("*", "10")]


@pytest.mark.parametrize(("suppressed", "counts"), [("remove", False), ("star", True)])
def test_a_class_generalised_up_to_a_star_is_not_suppressed(suppressed, counts):
    """The search counts no such record as suppressed, so what it says would pass has to pass the gate."""
    model = {"k": 2, "suppression_limit": 0.05, "hierarchies": {"q": {"kind": "star"}}}
    steps = [
        {
            "technique": "model.k_anonymity",
            "columns": ["q"],
            "parameters": model | {"suppressed_rows": suppressed},
        },
        {"technique": "as_is", "columns": ["s"], "parameters": {"reason": "for this test"}},
    ]
    case = clinic(
        "q,s\n" + "1,a\n" * 80 + "".join(f"{n},b\n" for n in range(2, 22)),
        "q,s\n" + "1,a\n" * 80 + "*,b\n" * 20,
        suppression_limit=0.05,
    )
    written = replace(case, recipe=Recipe.from_data({"recipe": 1, "steps": steps}))
    assert ("starred_rows" in [one.kind for one in measured(written).checks]) is counts


def test_the_figure_of_the_approval_keeps_its_unit_where_a_check_cannot_run_again():
    """98 % that joined at approval is not 1, and 40 % of usefulness not 0."""
    unable = {"unit": "none", "sense": "none", "passed": None, "met": False}
    label = {"message": "Rows", "params": {}, "columns": "a.x → b.y"}
    checks = [
        {"kind": "join", "label": label, "approved": 0.98, **unable},
        {"kind": "utility", "label": label, "approved": 0.4, **unable},
        {"kind": "k", "label": label, "approved": 7, **unable},
    ]
    again = Reassessment(measurement={"checks": checks})
    assert [row["earlier"] for row in remeasured_rows(again)] == ["98 %", "40 %", "7"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_small_figure_in_a_stored_text_never_reads_as_nothing(language):
    # As reports said it that were kept, and as they say it now.
    kept = "Data risk %(data).4f times the probability %(context).2f that somebody tries gives %(value).4f."
    overall = "Data risk %(data).2f %% times the probability %(context).2f %% that somebody tries gives %(value).2f %%."
    average = "On average over all %(rows)d records the chance is %(percent).2f %%."
    with translation.override(language):
        figures = translated(stored.text(kept, data=0.00001, context=0.003, value=3e-8))
        product = translated(stored.text(overall, data=0.001, context=0.3, value=3e-6))
        chance = translated(stored.text(average, rows=1000, percent=0.0004))
    assert all(figure in figures for figure in ("0.00001", "0.003", "0.00000003"))
    assert all(figure in product for figure in ("0.001 %", "0.3 %", "0.000003 %"))
    assert "0.0004 %" in chance
    assert "%%" not in chance


def test_a_change_by_rounding_alone_is_none():
    """The mean of the same numbers in another order differs in the last digit."""
    noise = (0.1 + 0.2 + 0.3) / (0.3 + 0.2 + 0.1) - 1
    assert noise != 0
    assert [signed(one) for one in (noise, -noise, 0, 1e-6, -0.05)] == [
        "0 %",
        "0 %",
        "0 %",
        "+0.0001 %",
        "−5 %",
    ]


def test_nobody_else_keeps_a_table_keyed_by_checks():
    """A fact about a check stands in its row: no dictionary has kinds of checks as its keys."""
    kinds = {check.kind for check in CHECKS if len(check.kind) > 1}
    figures = {"max_risk", "average_risk", "overall", "residual", "joined", "utility"}  # names of figures too
    found = []
    for path in Path(projects.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                named = {key.value for key in node.keys if isinstance(key, ast.Constant)} & kinds - figures
                by_class = [key for key in node.keys if isinstance(key, ast.Attribute) and key.attr == "kind"]
                if len(named) > 1 or by_class:
                    found.append(f"{path}:{node.lineno}")
    assert found == []
