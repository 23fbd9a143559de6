"""A check passes at its bound and fails by the least that is beyond it."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from types import SimpleNamespace

import pytest
from django.utils import translation

from projects.objective.targets.utility import parse_utility
from projects.processing.recipes.suggestion import SAMPLING
from projects.verification.gate import residue
from projects.verification.gate.check import Formula, TableCheck, TableSubject
from projects.verification.gate.checks import CHECKS, check_of
from projects.verification.gate.checks.closeness import Closeness
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.checks.joined import Joined
from projects.verification.gate.checks.losses.suppression import Suppression, limit_row
from projects.verification.gate.checks.privacy_budget import PrivacyBudget
from projects.verification.gate.conditions import Condition
from projects.verification.gate.measurement import measure
from projects.verification.gate.residue import residue_scan
from projects.verification.gate.risk import _rows_tick, measure_risk
from projects.verification.gate.sampling import persons_left_out, rows_left_out
from projects.verification.gate.sensitive import SensitiveColumnRead, attributes_of
from projects.verification.gate.suppressed import Suppressed
from projects.verification.reports.stored import text
from techniques.core.attributes import AttributeRole
from techniques.disclosure_risk.joined import JoinedRisk
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.checks.test_checks import clinic, measured

ROWS = "".join("a,x\n" for _ in range(200))


def passed(check, case):
    (row,) = check.measure(TableSubject(case), lambda share: None)
    return row.passed


@pytest.mark.parametrize("place", range(64))
def test_every_digit_of_the_hash_counts(place):
    digest = "0123456789abcdef" * 4
    case = replace(clinic("q,s\n", "q,s\n"), result_sha256=digest, read_sha256=digest)
    assert passed(Integrity(), case)
    other = digest[:place] + ("1" if digest[place] != "1" else "2") + digest[place + 1 :]
    assert not passed(Integrity(), replace(case, read_sha256=other))
    assert not passed(Integrity(), replace(case, read_sha256=""))


@pytest.mark.parametrize(
    ("removed", "limit", "passes"),
    [(10, 0.05, True), (11, 0.05, False), (1, 0.0, False), (0, 0.0, True), (200, 1.0, True)],
)
def test_suppression_passes_at_its_limit_and_not_one_row_beyond(removed, limit, passes):
    case = clinic(f"q,s\n{ROWS}", f"q,s\n{ROWS[4 * removed :]}", suppression_limit=limit)
    assert case.rows_drawn == 200
    assert passed(Suppression(), case) is passes


def outcome(sizes, values="", **targets):
    """By check whether it passed, what it measured, and its formula, of classes of these sizes."""
    letters = [letter for letter, size in zip("abcdef", sizes, strict=False) for _row in range(size)]
    rows = "q,s\n" + "".join(f"{q},{s}\n" for q, s in zip(letters, values or "x" * len(letters), strict=True))
    return {one.measure or one.kind: one for one in measured(clinic(rows, rows, **targets)).checks}


STRICT = {"measure": "strict_average", "strict_cap": 0.5}
LESS = {"context_risk": 0.3, "context_reason": "of this test"}


@pytest.mark.parametrize(
    ("sizes", "kind", "targets", "passes", "found", "formula"),
    [
        ((2, 8), "k", {"k": 2}, True, 2, "min f = 2 ≥ 2"),
        ((2, 8), "k", {"k": 3}, False, 2, "min f = 2 < 3"),
        ((2, 8), "max_risk", {"max_risk": 0.5}, True, 0.5, "max 1/f = 1/2 = 0.5"),
        ((3, 7), "max_risk", {"k": 4, "max_risk": 0.3}, False, 1 / 3, "max 1/f = 1/3 = 0.3333"),
        ((2, 8), "average_risk", {"average_risk": 0.2, **STRICT}, True, 0.2, "J/n = 2/10 = 0.2"),
        ((2, 8), "average_risk", {"average_risk": 0.19, **STRICT}, False, 0.2, "J/n = 2/10 = 0.2"),
        ((3, 7), "max_risk", {"average_risk": 0.2, **STRICT, "k": 4, "strict_cap": 0.25}, False, 1 / 3, "max 1/f = 1/3 = 0.3333"),
        ((2, 18), "at_risk", {"at_risk": 0.1, "at_risk_above": "0.1"}, True, 0.1, "R_a(τ = 0.1) = 10 %"),
        ((2, 18), "at_risk", {"at_risk": 0.09, "at_risk_above": "0.1"}, False, 0.1, "R_a(τ = 0.1) = 10 %"),
        ((2, 8), "overall", {"overall_threshold": 0.15, **LESS}, True, 0.15, "R_max × P = 0.5 × 0.3 = 0.15"),
        ((2, 8), "overall", {"overall_threshold": 0.149, **LESS}, False, 0.15, "R_max × P = 0.5 × 0.3 = 0.15"),
        # 1/5 × 0.9 is a little above 0.18 in binary; a third with nine digits is a third, and 0.33 is no cap of classes here.
        ((5, 5), "overall", {"overall_threshold": 0.18, **LESS, "context_risk": 0.9}, True, 0.18, "R_max × P = 0.2 × 0.9 = 0.18"),
        ((3, 7), "overall", {"overall_threshold": 0.333333333}, True, 1 / 3, "R_max × P = 0.3333 × 1 = 0.3333"),
        ((3, 7), "overall", {"overall_threshold": 0.33}, False, 1 / 3, "R_max × P = 0.3333 × 1 = 0.3333"),
        ((2, 8), "overall", {"overall_threshold": 0.06, "average_risk": 0.3, **STRICT, **LESS}, True, 0.06, "R_avg × P = 0.2 × 0.3 = 0.06"),
        ((2, 8), "overall", {"overall_threshold": 0.059, "average_risk": 0.3, **STRICT, **LESS}, False, 0.06, "R_avg × P = 0.2 × 0.3 = 0.06"),
    ],
)  # fmt: skip
def test_risks_pass_at_their_bound(sizes, kind, targets, passes, found, formula):
    row = outcome(sizes, **targets)[kind]
    assert (row.passed, row.measured, row.formula) == (passes, pytest.approx(found), formula)
    assert bool(row.remedies) is not passes
    assert "persons" not in row.plain.message


def test_the_work_is_told_from_nothing_to_all():
    said = []
    measure({"": clinic("q,s\n" + ROWS, "q,s\n" + ROWS)}, [], said.append)
    assert said == sorted(said)
    assert 0 <= said[0] < said[-1] == 1


def in_pairs(case):
    """The same case, of which both files are read two rows at a time."""

    def pairs(batches):
        return (one.slice(start, 2) for one in batches for start in range(0, one.num_rows, 2))

    return replace(
        case, source=replace(case.source, prepare=pairs), result=replace(case.result, prepare=pairs)
    )


EIGHT = in_pairs(clinic("q,s\n" + "a,x\n" * 8, "q,s\n" + "a,x\n" * 8, l=2))


def test_each_check_tells_its_work_by_the_rows_that_it_read():
    said = []
    residue_scan(TableSubject(EIGHT), said.append)
    assert said == pytest.approx([0.2, 0.4, 0.6, 0.8])
    said = []
    attributes_of(TableSubject(EIGHT), said.append)
    assert said == pytest.approx([0.125, 0.25, 0.375, 0.5, 1.0])
    said = []
    measure_risk(TableSubject(EIGHT), ["q"], said.append)
    assert said == pytest.approx([0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0])


def test_reading_ahead_gives_a_sign_of_life_with_each_batch_of_both_files(monkeypatch):
    """Where a batch takes a second, nothing is told for longer than that; the share stays where the check begins."""
    monkeypatch.setattr(residue, "TICK_SECONDS", 0)
    said, case = [], in_pairs(clinic("q,s\n" + "a,x\n" * 8, "q,s\n" + "a,x\n" * 8))
    residue_scan(TableSubject(case), said.append)
    assert said == pytest.approx([0.0] * 8 + [0.2, 0.4, 0.6, 0.8])


def test_a_proof_by_the_source_is_told_after_the_scan():
    """Both files are read again, a tenth of the work each, where a step keeps the format."""
    rows = "id,s\n" + "".join(f"{13900000000 + n},x\n" for n in range(8))
    case = in_pairs(clinic(rows, rows.replace("139", "138")))
    step = {
        "technique": "encryption.format_preserving",
        "columns": ["id"],
        "parameters": {"alphabet": "digits"},
    }
    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [step]})
    named = {"id": AttributeRole.DIRECT_IDENTIFIER}
    said = []
    residue_scan(TableSubject(replace(case, recipe=recipe, roles=named)), said.append)
    assert said == pytest.approx([0.2, 0.4, 0.6, 0.8, 0.825, 0.85, 0.875, 0.9, 0.925, 0.95, 0.975, 1.0])
    # Of a file with more rows than were counted no more than all of it is told.
    said.clear()
    fewer = replace(case, source=replace(case.source, rows=4), result=replace(case.result, rows=4))
    residue_scan(TableSubject(replace(fewer, recipe=recipe, roles=named)), said.append)
    assert said == pytest.approx([0.4, 0.8, 0.8, 0.8, 0.85, 0.9, 0.9, 0.9, 0.95, 1.0, 1.0, 1.0])


def test_tables_and_checks_tell_their_share_of_the_whole():
    """Four fifths are the tables, each the same; of a table each check has the share that it takes."""
    efforts = {check.kind: check.effort for check in CHECKS if isinstance(check, TableCheck)}
    before = dict(zip(efforts, accumulate(efforts.values(), initial=0.0), strict=False))

    def within(kind, done):
        return 0.8 * (before[kind] + efforts[kind] * done) / sum(efforts.values())

    one, two = [], []
    measure({"": EIGHT}, [], one.append)
    measure({"a": EIGHT, "b": EIGHT}, [], two.append)
    assert one[:4] == pytest.approx([within("residual", done) for done in (0.2, 0.4, 0.6, 0.8)])
    assert [within("k", done / 8) for done in range(1, 9)] == pytest.approx(
        [share for share in one if within("k", 0.01) < share < within("k", 1.01)]
    )
    assert within("diversity", 1) in [pytest.approx(share) for share in one]
    assert one[-2:] == [pytest.approx(0.8), 1.0]
    *tables, last = one
    assert two == pytest.approx(
        [share / 2 for share in tables] + [0.4 + share / 2 for share in tables] + [last]
    )


def test_usefulness_tells_its_work_by_the_rows_of_both_files():
    """Three quarters of the rows are the source's."""
    case = clinic("q,s\n" + ROWS * 15, "q,s\n" + ROWS * 5)
    case = replace(case, utility=parse_utility([{"kind": "rows_retained", "bound": 0.3}]))
    said = []
    (row,) = check_of("utility").measure(TableSubject(case), said.append)
    assert said == pytest.approx([0.75, 1.0])
    assert (row.passed, row.measured) == (True, pytest.approx(1 / 3))


@pytest.mark.parametrize(
    ("persons", "removed", "measured_share", "passes"),
    [
        (20, 2, 0.1, False),
        (20, 1, 0.05, True),
        (None, 0, 0.05, True),
        (40, 1, 0.05, True),
        (0, 0, 0.05, True),
    ],
)
def test_the_greater_share_of_records_and_persons_counts(persons, removed, measured_share, passes):
    case = clinic(f"q,s\n{ROWS}", f"q,s\n{ROWS}", suppression_limit=0.05)
    found = Suppressed(100, 5, 0, 0, 1, persons, removed)
    row = limit_row(Suppression(), TableSubject(case), found, text("said"), 5, "5", removed)
    assert (row.passed, row.measured) == (passes, pytest.approx(measured_share))


@pytest.mark.parametrize(("cells", "columns", "records"), [(0, 0, 7), (6, 3, 9), (1, 4, 7.25)])
def test_a_record_without_one_of_its_columns_counts_as_a_part(cells, columns, records):
    """Five are gone and two are stars; without quasi-identifiers there are no cells of them."""
    assert Suppressed(100, 5, 2, cells, columns).records == records


def test_whom_a_sample_has_left_out():
    """30 persons are three tenths of 100; of 80 rows that went 20 were suppressed."""

    def step(technique, result, counts):
        return {"technique": technique, "result": result, "counts": counts}

    report = {
        "steps": [
            step(
                SAMPLING,
                {"persons": 30, "sampling_fraction": 0.3},
                {"rows_removed": 80, "rows_suppressed": 20},
            ),
            step(SAMPLING, {"persons": 10, "sampling_fraction": 0}, {"rows_suppressed": 4}),
            step("as_is", {"persons": 5, "sampling_fraction": 0.5}, {"rows_removed": 7}),
            step(SAMPLING, {"sampling_fraction": 0.5}, {"rows_removed": 3}),
        ]
    }
    assert (rows_left_out(report), persons_left_out(report)) == (63, 70)
    assert (rows_left_out({}), persons_left_out({})) == (0, 0)


@pytest.mark.parametrize(
    ("kind", "targets", "passes", "found", "formula"),
    [
        ("distinct", {"l": 2}, True, 2, "l = 2 ≥ 2"),
        ("distinct", {"l": 3}, False, 2, "l = 2 < 3"),
        ("entropy", {"l": 2, "l_kind": "entropy"}, True, 2, "l = 2 ≥ 2"),
        ("entropy", {"l": 2.1, "l_kind": "entropy"}, False, 2, "l = 2 < 2.1"),
        # Of three x and three y in a class: half of each; in the table 5 of 12 are x, 5 y and 2 z.
        ("equal", {"t": 1 / 6}, True, 1 / 6, "t = 0.1667 ≤ 0.1667"),
        ("equal", {"t": 0.16}, False, 1 / 6, "t = 0.1667 > 0.16"),
        ("likeness", {"beta": 1.0}, True, 1.0, "β = 1 ≤ 1"),
        ("likeness", {"beta": 0.99}, False, 1.0, "β = 1 > 0.99"),
    ],
)
def test_conditions_pass_at_their_bound(kind, targets, passes, found, formula):
    row = outcome((6, 6), "xxxyyyxxyyzz", **targets)[kind]
    assert (row.passed, row.measured, row.formula) == (passes, pytest.approx(found), formula)
    assert (row.target, bool(row.remedies)) == (next(iter(targets.values())), not passes)


@pytest.mark.parametrize(
    ("kind", "left", "measured_here", "bound", "counts"),
    [
        # A fifth is gone: t of all rows is at most 0.8 t + 0.2, and at least t - 0.2.
        ("equal", 8, 0.1, 0.28, (0.28, True)),
        ("equal", 8, 0.1, 0.27, (0.28, None)),
        ("equal", 8, 0.5, 0.29, (0.3, False)),
        ("equal", 8, 0.5, 0.31, (0.6, None)),
        ("equal", 10, 0.3, 0.3, (0.3, True)),
        ("equal", 10, 0.3, 0.29, (0.3, False)),
        ("ordered", 8, 0.1, 0.9, (0.28, None)),
        ("ordered", 10, 0.1, 0.1, (0.1, True)),
        # p/q = 1.5 of the result is at most 1.5 / 0.8 of all.
        ("likeness", 8, 0.5, 0.875, (0.875, True)),
        ("likeness", 8, 0.5, 0.87, (0.875, None)),
        ("likeness", 10, 0.5, 0.49, (0.5, False)),
    ],
)
def test_rows_that_are_gone_count_as_far_as_they_can(kind, left, measured_here, bound, counts):
    case = clinic("q,s\n" + "a,x\n" * 10, "q,s\n" + "a,x\n" * left)
    for whose in (None, "persons"):
        read = SensitiveColumnRead(None, SimpleNamespace(whose=whose), True)
        number, passes = Closeness().judged(case, Condition("s", kind, bound), read, measured_here)
        wanted = (measured_here, None) if whose and left < 10 else counts
        assert (number, passes) == (pytest.approx(wanted[0]), wanted[1])
    same = SensitiveColumnRead(None, SimpleNamespace(whose=None), False)
    assert Closeness().judged(case, Condition("s", kind, measured_here), same, measured_here)[1] is True


@pytest.mark.parametrize(("k", "formula"), [(5, "min 5 ≥ 5"), (4, "min 4 < 5")])
def test_joined_tables_pass_at_k(k, formula):
    found = JoinedRisk(("a", "b"), 20, 12, k, 3)
    assert (found.max_risk, JoinedRisk(("a", "b"), 0, 0, 0, 0).max_risk) == (1 / k, 0.0)
    row = Joined()._row(found, 5)
    assert (row.passed, row.formula, row.measured, row.target) == (k == 5, formula, k, 5)
    assert [one.params for one in row.remedies] == ([] if k == 5 else [{"below": 3}])


def test_the_work_of_measuring_risk_is_told_by_the_rows_that_were_read():
    said = []
    for start in (0.0, 0.5):
        tell = _rows_tick(said.append, start, 200)
        for done in (0, 50, 100, 200, 201):
            tell(done)
    assert said == pytest.approx([0, 0.125, 0.25, 0.5, 0.5, 0.5, 0.625, 0.75, 1.0, 1.0])
    _rows_tick(said.append, 0.5, 0)(0)
    assert said[-1] == 1.0, "a table without rows is read at once"


@pytest.mark.parametrize(
    ("spent", "bound", "passes", "measured_here", "formula"),
    [
        ([1.0], 1.0, True, 1.0, "1 = 1"),
        ([0.5, 0.5], 1.0, True, 1.0, "0.5 + 0.5 = 1"),
        ([0.5, 0.6], 1.0, False, 1.1, "0.5 + 0.6 = 1.1"),
        ([0.1, 0.2], 0.3, True, 0.3, "0.1 + 0.2 = 0.3"),
        ([1.0, None], 2.0, False, None, ""),
        ([1.0], None, None, None, None),
        ([], 1.0, None, None, None),
    ],
)
def test_the_privacy_budget_is_the_sum_of_all_steps(spent, bound, passes, measured_here, formula):
    """Sequential composition (B.2): what several steps spend adds up."""
    steps = [
        {"technique": "synthesis.private", "columns": ["q"], "result": {"epsilon": one}} for one in spent
    ]
    case = SimpleNamespace(steps=steps, person_key=None, risk=SimpleNamespace(epsilon=bound))
    rows = PrivacyBudget().measure(SimpleNamespace(case=case), lambda share: None)
    if passes is None:
        assert rows == []
    else:
        assert (rows[0].passed, rows[0].measured, rows[0].formula) == (
            passes,
            measured_here and pytest.approx(measured_here),
            formula,
        )


@pytest.mark.parametrize(
    ("key", "rows_of_person", "passes"), [(None, None, True), (("id",), None, False), (("id",), 3, True)]
)
def test_a_budget_of_one_row_is_none_of_a_person_with_several(key, rows_of_person, passes):
    found = {"epsilon": 1.0} | ({"rows_of_person": rows_of_person} if rows_of_person else {})
    steps = [{"technique": "synthesis.private", "columns": ["q"], "result": found}]
    case = SimpleNamespace(steps=steps, person_key=key, risk=SimpleNamespace(epsilon=1.0))
    (row,) = PrivacyBudget().measure(SimpleNamespace(case=case), lambda share: None)
    assert row.passed is passes
    assert ("all rows of one person" in row.plain.message) is (passes and key is not None)


def test_a_formula_says_what_is_computed_and_what_that_means():
    with translation.override("en"):
        assert (
            Formula("Risk", "R", "1/2", [], "B.1", "the greatest chance").explained
            == "Risk: the greatest chance"
        )


@pytest.mark.parametrize(
    ("kind", "targets", "records"),
    [
        ("k", {"k": 3}, 12),
        ("max_risk", {"k": 3, "max_risk": 1 / 3}, 12),
        ("overall", {"overall_threshold": 0.4}, 12),
        # Seven classes at most, and what is suppressed is one of them: 12 + 1 - 7 + 1.
        ("average_risk", {"average_risk": 0.03, **STRICT}, 7),
        # What is suppressed is a class of its own, too small below ten.
        ("at_risk", {"at_risk": 0.03, "at_risk_above": "0.1"}, 10),
    ],
)
@pytest.mark.parametrize("limit", [0.05, 0.02])
def test_what_costs_more_records_than_may_go_is_said_last(kind, targets, records, limit):
    """Of 240 records twelve stand alone, by each of six columns; no more than four cheap ways are named."""
    names = "abcdef"
    rows = [",".join([str(number)] * 6) + ",x\n" for number in [*range(12), *[12] * 228]]
    text = f"{','.join(names)},s\n{''.join(rows)}"
    case = clinic(text, text, suppression_limit=limit, **targets)
    case = replace(case, roles=dict.fromkeys(names, AttributeRole.QUASI_IDENTIFIER))
    (row,) = (one for one in measured(case).checks if kind in (one.kind, one.measure))
    (place,) = (n for n, one in enumerate(row.remedies) if "column" not in one.params)
    said = row.remedies[place].params
    share = pytest.approx(100 * records / 240)
    if limit == 0.05:
        assert (len(row.remedies), place) == (4, 0)
        assert said == {"records": records, "rows": 240, "percent": share}
    else:
        assert (len(row.remedies), place) == (5, 4)
        assert said == {"records": records, "percent": share, "limit": pytest.approx(2)}
