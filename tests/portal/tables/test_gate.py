"""The gate over two tables stays shut when the joined view is too fine, a key collides, or a row loses its counterpart."""

from __future__ import annotations

import io
from types import SimpleNamespace

from projects.objective.targets import RiskTargets
from projects.verification.case import Case, Table
from projects.verification.joint import measure_joint
from techniques.identification.kinds import Role
from techniques.recipe import Recipe
from techniques.risk.joined import Link
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
        roles={key: Role.DIRECT_IDENTIFIER, quasi: Role.QUASI_IDENTIFIER},
        risk=RISK,
        utility=[],
        file_name="t.csv",
        result_sha256="same",
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
        "patients": (case(head + body, head + after, "id", "sex"), "same"),
        "visits": (case("who,year\n" + rows, "who,year\n" + rows, "who", "year"), "same"),
    }
    checks, report = measure_joint(cases, [LINK], lambda share: None)
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
        "patients": (case(head, head, "id", "sex"), "same"),
        "visits": (case(rows, rows, "who", "year"), "same"),
    }
    checks, _report = measure_joint(cases, [gone], lambda share: None)
    assert {c["passed"] for c in checks if c["kind"] in ("join", "joined")} == {None}
