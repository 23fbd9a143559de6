"""The gate over two tables stays shut when the joined view is too fine, a key collides, or a row loses its counterpart."""

from __future__ import annotations

import io
from dataclasses import replace
from types import SimpleNamespace

from projects.objective.targets.risk import RiskTargets
from projects.verification.comparison.measurement import measure_candidate
from projects.verification.gate.case import Case, Table
from projects.verification.gate.measurement import measure
from projects.verification.remedies.search import work_out
from projects.verification.remedies.view_search import joined_needed, work_out_joined
from projects.verification.reports.gate import TableReport
from techniques.core.attributes import AttributeRole
from techniques.data_utility.targets import CategoriesKept, RowsRetained, SuppressedCells
from techniques.disclosure_risk.joined import Link
from techniques.recipe.recipe import Recipe
from techniques.tables import detect

RISK = RiskTargets.model_validate(
    {"k": 3, "measure": "max", "max_risk": 0.34, "overall_threshold": 0.34, "suppression_limit": 0.1}
)
LINK = Link(("visits", "who"), ("patients", "id"))


def table(text: str) -> Table:
    content = text.encode()
    return Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), text.count("\n") - 1)


def case(source: str, result: str, key: str, quasi: str) -> Case:
    recipe = Recipe.from_data(
        {
            "recipe": 1,
            "unlisted": "keep",
            "steps": [{"technique": "pseudonymization.keyed_hash", "columns": [key], "parameters": {}}],
        }
    )
    return Case(
        source=table(source),
        result=table(result),
        recipe=recipe,
        roles={key: AttributeRole.DIRECT_IDENTIFIER, quasi: AttributeRole.QUASI_IDENTIFIER},
        risk=RISK,
        utility=[],
        file_name="t.csv",
        result_sha256="same",
        read_sha256="same",
        rows_in=source.count("\n") - 1,
        sharing_type="controlled",
    )


def measured(
    patients: list[str], visits: list[str], *, years: str = "", patients_after: list[str] | None = None
):
    """The checks by kind over one row for each patient and visit; ``years`` are those of the visits."""
    head, body = "id,sex\n", "".join(f"{p},m\n" for p in patients)
    after = "".join(f"{p},m\n" for p in (patients if patients_after is None else patients_after))
    rows = "".join(f"{who},{year}\n" for who, year in zip(visits, years or "1" * len(visits), strict=True))
    cases = {
        "patients": case(head + body, head + after, "id", "sex"),
        "visits": case("who,year\n" + rows, "who,year\n" + rows, "who", "year"),
    }
    found = measure(cases, [LINK], lambda share: None).as_json()
    checks, report = found["checks"], found["report"]
    return SimpleNamespace(report=report, **{c["kind"]: c for c in checks if c["kind"] in ("join", "joined")})


PEOPLE = [f"p{n}" for n in range(12)]


def test_what_joins_and_is_coarse_passes():
    found = measured(PEOPLE, PEOPLE)
    assert found.join["passed"] is True
    assert (found.joined["passed"], found.joined["measured"]) == (True, 12)


def test_a_view_that_is_too_fine_keeps_the_gate_shut_though_each_table_is_coarse_enough():
    found = measured(PEOPLE, [*PEOPLE, *["p0"] * 4], years="1" * 12 + "2" * 4)
    assert found.joined["passed"] is False
    assert found.joined["measured"] == 1
    assert found.report["level"]["level"] <= 2


def test_rows_that_lose_their_counterpart_keep_the_gate_shut():
    found = measured(PEOPLE, PEOPLE, patients_after=PEOPLE[:9])
    assert found.join["passed"] is False
    assert found.join["measured"] == 0.75


def test_keys_that_became_one_keep_the_gate_shut():
    found = measured(PEOPLE, PEOPLE, patients_after=[*PEOPLE[:11], "p0"])
    assert found.join["passed"] is False


def test_what_cannot_be_measured_does_not_pass():
    gone = Link(("visits", "nothing"), ("patients", "id"))
    head = "id,sex\n" + "".join(f"{p},m\n" for p in PEOPLE)
    rows = "who,year\n" + "".join(f"{p},1\n" for p in PEOPLE)
    cases = {
        "patients": case(head, head, "id", "sex"),
        "visits": case(rows, rows, "who", "year"),
    }
    checks = measure(cases, [gone], lambda share: None).checks
    assert {one.passed for one in checks if one.kind in ("join", "joined")} == {None}


def worked_out(patients: str, visits: str, quasi: dict[str, list[str]], utility=()):
    """What is worked out for the joined view of results that are like their sources."""
    cases = {}
    for name, text, key in (("patients", patients, "id"), ("visits", visits, "who")):
        made = case(text, text, key, key)
        roles = {key: AttributeRole.DIRECT_IDENTIFIER} | dict.fromkeys(
            quasi[name], AttributeRole.QUASI_IDENTIFIER
        )
        cases[name] = replace(made, roles=roles, utility=list(utility))
    measured = measure(cases, [LINK], lambda share: None)
    assert joined_needed(measured.checks)
    ticks: list[float] = []
    found = work_out_joined(cases, [LINK], measured, ticks.append).as_json()
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0
    return found


def grid(*, whole: bool) -> tuple[str, str]:
    """Twelve people whom sex and ward tell apart; with the years of the ``whole``, any two columns leave too few alike."""
    patients = "id,sex,note\n" + "".join(f"p{n},{n % 4},{n}\n" for n in range(12))
    visits = "who,year,ward\n" + "".join(f"p{n},{n % 6 if whole else 1},{n % 3}\n" for n in range(12))
    return patients, visits


QUASI = {"patients": ["sex"], "visits": ["year", "ward"]}


def test_the_column_whose_removal_is_enough_is_found_and_what_it_costs():
    found = worked_out(*grid(whole=False), QUASI)
    assert (found["now"]["k"], found["now"]["below"], found["draws"]) == (1, 12, False)
    passing = [remedy for remedy in found["ways"] if remedy["outcome"]["passes"]]
    assert [(remedy["columns"], remedy["outcome"]["k"]) for remedy in passing] == [
        ([["patients", "sex"]], 4),
        ([["visits", "ward"]], 3),
    ]
    # The year is the same for all, so that its removal helps nobody.
    assert found["ways"][-1]["columns"] == [["visits", "year"]]
    assert found["ways"][-1]["outcome"]["below"] == 12
    assert found["pairs"] is None


def test_where_no_column_is_enough_two_are_tried():
    found = worked_out(*grid(whole=True), QUASI)
    assert found["pairs"] == {"tried": 3, "possible": 3}
    passing = [sorted(remedy["columns"]) for remedy in found["ways"] if remedy["outcome"]["passes"]]
    assert passing == [[["patients", "sex"], ["visits", "year"]], [["visits", "ward"], ["visits", "year"]]]
    assert not any(remedy["outcome"]["passes"] for remedy in found["ways"] if len(remedy["columns"]) == 1)


def test_a_column_that_a_target_needs_is_no_way():
    wanted = [
        CategoriesKept(column="ward", bound=0.5),
        SuppressedCells(bound=0.0),
        RowsRetained(bound=1.0),
    ]
    found = worked_out(*grid(whole=False), QUASI, wanted)
    by_column = {
        remedy["columns"][0][1]: remedy["outcome"] for remedy in found["ways"] if len(remedy["columns"]) == 1
    }
    assert [one["table"] for one in found["utility"]] == ["patients"] * 2 + ["visits"] * 3
    assert not by_column["ward"]["passes"]
    assert by_column["ward"]["utility"].count({"measured": None, "passes": False, "breaks": True}) == 1
    assert by_column["sex"]["passes"]
    assert all(one["passes"] for one in by_column["sex"]["utility"])


def test_a_candidate_counts_by_its_joined_view_where_the_highest_risk_counts():
    """Three of each sex and two of each year, all of them alone once both are known."""
    patients, visits = grid(whole=True)
    cases = {}
    for name, text, key, quasi in (("patients", patients, "id", "sex"), ("visits", visits, "who", "year")):
        cases[name] = case(text, text, key, quasi)
    found = measure_candidate(cases, [LINK], lambda share: None).as_json()["figures"]
    assert (found["tables"]["patients"]["k"], found["tables"]["visits"]["k"]) == (3, 2)
    assert (found["k"], found["joined_k"], found["max_risk"]) == (1, 1, 1.0)
    assert found["overall"] == RISK.context_risk
    assert found["view_in_overall"]
    # What cannot be measured is no good figure.
    nothing = Link(("visits", "nothing"), ("patients", "id"))
    unknown = measure_candidate(cases, [nothing], lambda share: None).as_json()["figures"]
    assert (unknown["k"], unknown["overall"], unknown["joined_k"]) == (None, None, None)


def test_of_a_column_that_leads_to_another_table_nothing_is_guessed():
    made = case("id,sex\n" + "a,m\n" * 3, "id,sex\n" + "a,m\n" * 3, "id", "sex")
    found = work_out(made, [], TableReport(), lambda share: None, keys=["sex"]).as_json()
    assert found["problem"]["params"] == {"columns": "sex"}
    assert found["ways"] == []


def test_what_tables_spend_together_is_checked_without_links_and_what_joins_with_them_alone():
    spent = [{"technique": "synthesis.private", "columns": ["sex"], "result": {"epsilon": 1.0}}]
    people = "id,sex\n" + "".join(f"{p},m\n" for p in PEOPLE)
    visits = "who,year\n" + "".join(f"{p},1\n" for p in PEOPLE)
    risk = RISK.model_copy(update={"epsilon": 1.5})
    cases = {
        "patients": replace(case(people, people, "id", "sex"), risk=risk, steps=spent),
        "visits": replace(case(visits, visits, "who", "year"), risk=risk, steps=spent),
    }
    between = {"join", "joined", "privacy_budget_of_tables"}
    for links, kinds in (([], {"privacy_budget_of_tables"}), ([LINK], between)):
        checks = measure(cases, links, lambda share: None).checks
        assert {one.kind for one in checks} & between == kinds
        assert [one.passed for one in checks if one.kind == "privacy_budget_of_tables"] == [False]
