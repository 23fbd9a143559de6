"""The gate counts persons: a class of five visits of two patients does not pass as five."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from projects.objective.targets.risk import RiskTargets
from projects.verification.gate.case import Case, Table
from projects.verification.gate.check import BY_PERSONS, TableSubject
from projects.verification.gate.measurement import measure
from projects.verification.gate.risk import measure_risk
from projects.verification.gate.sampling import persons_left_out
from projects.verification.gate.suppressed import suppressed_of
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.disclosure_risk.joined import Link
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.recipe.recipe import Recipe
from techniques.tables import detect

RISK = {"k": 5, "measure": "max", "max_risk": 0.2, "overall_threshold": 0.2, "suppression_limit": 0.5}
# Region A: two patients with five visits; region B: ten patients with one each.
VISITS = "".join(f"P{10 + row % 2},A,{row % 3}\n" for row in range(5))
VISITS += "".join(f"P{20 + row},B,{row % 3}\n" for row in range(10))
ROLES = {
    "patient": AttributeRole.DIRECT_IDENTIFIER,
    "region": AttributeRole.QUASI_IDENTIFIER,
    "ill": AttributeRole.SENSITIVE_ATTRIBUTE,
}


def table(content: bytes) -> Table:
    return Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), content.count(b"\n") - 1)


def released(
    workspace: Any, key: tuple[str, ...] | None, *steps: dict[str, Any], visits: str = VISITS
) -> Case:
    """What a run by a recipe over the visits has written, the patients' column being removed."""
    source = table(f"patient,region,ill\n{visits}".encode())
    removal = {"technique": "suppression.remove_column", "columns": ["patient"]}
    content = {"recipe": 1, "unlisted": "keep", "steps": [removal, *steps]}
    recipe = Recipe.from_data(content if key is None else {**content, "subject": [*key]})
    size = len(source.open().read())
    run = LocalRun(
        recipe,
        Source(source.open, source.format, source.rows, size),
        DirectoryWorkspace(workspace),
        Secrets(b"k" * 32, b"s"),
    )
    run.execute_all()
    with run.workspace.open_read(run.result_name) as stream:
        result = table(stream.read())
    return Case(
        source=source, result=result, recipe=recipe, roles=ROLES, risk=RiskTargets.model_validate(RISK), utility=(),
        file_name="visits.csv", result_sha256="", rows_in=source.rows, sharing_type="controlled",
        person_key=key, subjects=run.subjects,
    )  # fmt: skip


def checks(case: Case) -> dict[str, Any]:
    return {one.kind: one for one in measure({"": case}, [], lambda share: None).checks}


def model(**more: Any) -> dict[str, Any]:
    settings = {"k": 5, "suppression_limit": 0.5, "hierarchies": {"region": {"kind": "star"}}, **more}
    return {"technique": "model.k_anonymity", "columns": ["region"], "parameters": settings}


def test_five_visits_of_two_patients_pass_as_rows_and_are_blocked_as_persons(tmp_path):
    by_rows, by_persons = (
        checks(released(tmp_path / name, key)) for name, key in (("r", ()), ("p", ("patient",)))
    )
    assert (by_rows["k"].measured, by_rows["k"].passed) == (5, True)
    assert (by_persons["k"].measured, by_persons["k"].passed) == (2, False)
    assert by_persons["k"].measure == by_persons["max_risk"].measure == BY_PERSONS
    assert by_persons["max_risk"].measured == 0.5
    assert by_persons["k"].details[0].params == {"persons": 12, "rows": 15, "key": "patient"}


@pytest.mark.parametrize("gone", [0.0, 0.5])
def test_the_same_passes_once_it_is_treated_by_persons(tmp_path, gone):
    found = checks(released(tmp_path, ("patient",), model(suppression_limit=gone)))
    assert found["k"].passed
    assert found["k"].measured == (12 if gone == 0 else 10)
    assert found["suppression"].measured == pytest.approx(5 / 15 if gone else 0)


def test_the_average_of_persons_is_said_with_its_own_sentence_and_formula(tmp_path):
    """Region A has two patients and B ten: (2 × 1/2 + 10 × 1/10) / 12. By rows it is two classes of fifteen."""
    targets = RISK | {"measure": "strict_average", "strict_cap": 0.5, "average_risk": 0.2}
    for key, share, said, formula in (
        (("patient",), 2 / 12, "On average over all %(persons)d persons", "Σ max 1/f / P = 0.1667"),
        ((), 2 / 15, "On average over all %(rows)d records", "J/n = 2/15 = 0.1333"),
    ):
        case = released(tmp_path / str(len(key)), key)
        found = checks(replace(case, risk=RiskTargets.model_validate(targets)))
        average, largest = found["average_risk"], found["max_risk"]
        assert average.measured == pytest.approx(share)
        assert (average.plain.message.startswith(said), average.formula) == (True, formula)
        assert average.plain.params["percent"] == pytest.approx(100 * share)
        assert largest.formula.startswith("max 1/f = 1/")


def test_suppression_holds_for_persons_where_more_of_them_are_gone_than_rows(tmp_path):
    # Four patients of one visit each in a region of their own, and two with twenty between them.
    visits = "".join(f"P{row},C,1\n" for row in range(4)) + "".join(
        f"P{50 + row % 6},D,2\n" for row in range(20)
    )
    found = checks(released(tmp_path, ("patient",), model(), visits=visits))["suppression"]
    assert (found.measured, found.measure) == (pytest.approx(4 / 10), BY_PERSONS)


def test_nobody_said_asks_and_blocks_and_an_unknown_order_is_not_guessed(tmp_path):
    repeated = "".join(f"SL{10_000_000 + 7 * (row % 40)},B,{row % 3}\n" for row in range(80))
    case = released(tmp_path, None, visits=repeated)
    found = checks(case)["k"]
    assert found.passed is None
    assert found.plain.params == {"columns": "patient"}
    subject = TableSubject(case)
    with pytest.raises(EngineError, match="Whose rows are they"):
        _ = subject.persons
    # Who asks again, with nothing held any more, has the answer without the file.
    subject.let_go()
    object.__setattr__(case.source, "open", lambda: pytest.fail("the source is read again"))
    with pytest.raises(EngineError, match="Whose rows are they"):
        _ = subject.persons
    lost = released(tmp_path / "2", ("patient",), visits=repeated)
    object.__setattr__(lost, "subjects", lambda: np.zeros(3, np.int32))
    assert checks(lost)["k"].passed is None


def test_a_person_with_several_values_adds_no_variety(tmp_path):
    """Six persons, each with both values: every class would be varied by rows."""
    visits = "".join(f"P{row % 6},A,{row // 6}\n" for row in range(12))
    said = {"ill": {"distinct": 2}}
    case = released(tmp_path, ("patient",), visits=visits)
    object.__setattr__(
        case, "recipe", Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [model(sensitive=said)]})
    )
    found = checks(case)["diversity"]
    assert (found.measured, found.passed) == (1, False)
    assert found.details[-1].params["several"] == 6


def test_who_has_only_starred_rows_is_suppressed_as_much_as_who_has_none(tmp_path):
    """Four patients of one visit each keep it as ``*``: 4 of 24 rows, but 4 of 10 persons."""
    visits = "".join(f"P{row},C,1\n" for row in range(4)) + "".join(
        f"P{50 + row % 6},D,2\n" for row in range(20)
    )
    case = released(tmp_path, ("patient",), model(suppressed_rows="star"), visits=visits)
    found = checks(case)
    assert found["suppression"].measured == 0
    starred = found["starred_rows"]
    assert (starred.measured, starred.measure) == (pytest.approx(4 / 10), BY_PERSONS)
    assert starred.formula.startswith("4 / 10")
    assert starred.details[0].params == {"gone": 4, "persons": 10}


def test_who_stands_under_a_label_that_is_a_star_is_not_hidden(tmp_path):
    """Both regions are lifted to their root: everybody has only ``*``, and nobody was suppressed."""
    visits = "".join(f"P{row},{'CD'[row < 4]},1\n" for row in range(8))
    lifted = model(suppressed_rows="remove", suppression_limit=0.0)
    case = released(tmp_path, ("patient",), lifted, visits=visits)
    found = suppressed_of(TableSubject(case))
    assert (found.starred, found.persons, found.persons_removed, found.persons_hidden) == (0, None, 0, 0)
    of = TableSubject(case)
    measure_risk(of, ["region"], lambda share: None)
    found = suppressed_of(of)
    assert (found.starred, found.persons, found.persons_removed, found.persons_hidden) == (0, 8, 0, 0)


def test_who_was_not_drawn_is_not_suppressed(tmp_path):
    visits = "".join(f"P{row % 40},{'AB'[row % 2]},1\n" for row in range(80))
    draw = {"technique": "statistical.sampling", "columns": ["region"], "parameters": {"fraction": 0.5}}
    case = released(tmp_path, ("patient",), draw, model(), visits=visits)
    found = checks(replace(case, rows_not_drawn=40, persons_not_drawn=20))["suppression"]
    assert (found.measured, found.passed) == (0, True)
    assert found.plain.params == {"removed": 0, "rows": 40, "left": 40, "gone": 0, "persons": 20}
    report = {
        "steps": [{"technique": draw["technique"], "result": {"persons": 20, "sampling_fraction": 0.5}}]
    }
    assert persons_left_out(report) == 20


def test_the_joined_view_counts_the_persons_of_its_tables(tmp_path):
    """Six visits of two patients to one ward, linked by the ward, which stands for nobody."""
    visits = released(tmp_path, ("patient",), visits="".join(f"P{row % 2},A,1\n" for row in range(6)))
    ward = table(b"ward,region\nA,B\n")
    wards = replace(
        visits, source=ward, result=ward, rows_in=1, person_key=None, roles={"ward": ROLES["patient"]}
    )
    link = Link(("visits", "region"), ("wards", "ward"), person=False)
    for key, measured, counted in ((("patient",), 2, "persons"), ((), 6, "persons"), (None, 6, "records")):
        cases = {"visits": replace(visits, person_key=key), "wards": wards}
        (joined,) = [one for one in measure(cases, [link], lambda share: None).checks if one.kind == "joined"]
        assert joined.measured == measured
        assert joined.passed == (measured >= 5)
        assert joined.label.message.endswith(counted)
