"""A live release is measured by an amended yardstick, and what was signed stays as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from projects.core.tasks_registry import tasks_of
from projects.identification.enums import ColumnRole
from projects.monitoring.amendments.presentation import changed_rows
from projects.monitoring.amendments.selectors import amendable_roles
from projects.monitoring.amendments.yardstick import yardstick_of
from projects.monitoring.documents import REPORT, REPORT_JOB
from projects.monitoring.enums import ReassessmentOutcome
from projects.monitoring.models import Amendment, Reassessment
from projects.monitoring.presentation import amended_texts, degree_fell_text
from projects.monitoring.providers import recovery_assessed
from projects.monitoring.report import RemeasuredCheck, Remeasurement
from projects.monitoring.services import reassessment_conclude
from projects.objective.models import ContextAssessment
from projects.objective.selectors import basis_hash, plan_hash, risk_targets
from projects.processing.models import Run
from projects.processing.runs.designation.rule import Designation, designated
from projects.releases.rules import may_receive
from projects.releases.selectors import current_release
from projects.verification.reports.gate import Degree
from projects.verification.selectors import current_verification
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.fixtures import PASSWORD
from tests.projects.monitoring.amendments import steps
from tests.projects.monitoring.steps import reported
from tests.projects.objective.surroundings.test_context import ANSWERS, entries
from tests.projects.releases import stories
from tests.projects.rows import put
from tests.truth.test_designations import SOUND

START = stories.released
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def made(monitored, people):
    found = reported(monitored, people)
    assert found.met is True
    return found


def keep(made, people):
    return reassessment_conclude(
        steps.fresh(made), outcome=ReassessmentOutcome.KEEP, finding="so", by=people.supervisor
    )


def again(monitored, made):
    monitored.run_jobs()
    return steps.fresh(made)


def sent(client, path, form):
    return client.post(path, form, headers=ENGLISH)


def targets_form(project, **changed):
    now = {
        name: value
        for name, value in risk_targets(project).model_dump(mode="json").items()
        if value is not None
    }
    return {
        name: f"{value:.4g}" if isinstance(value, float) else value for name, value in now.items()
    } | changed


def test_from_the_pages_a_stricter_target_turns_the_outcome(monitored, made, people, client):
    project = monitored.project
    signed = plan_hash(project), basis_hash(project), current_verification(project).content_hash
    page = reverse("monitoring:reassessment", args=[project.pk, made.pk])
    amend = page + "amend/targets/"
    for who in (people.executor, people.supervisor, people.management, people.auditor):
        client.force_login(who)
        assert "amend/targets/" not in client.get(page).content.decode()
        assert client.get(amend).status_code == 403
    client.force_login(people.planner)
    assert "amend/targets/" in client.get(page).content.decode()
    assert client.get(page + "amend/weather/").status_code == 404
    same = sent(client, amend, targets_form(project, why="nothing"))
    assert (same.status_code, "by already" in same.content.decode()) == (422, True)
    assert "why" in sent(client, amend, targets_form(project, k=300, why="")).context["form"].errors
    assert sent(client, amend, targets_form(project, k=300, why="a study links such data")).status_code == 302
    amendment = Amendment.objects.get()
    # Only what was altered is: what the form shows rounded keeps its digits.
    assert amendment.content == risk_targets(project).model_dump(mode="json") | {
        "k": 300, "why": "a study links such data",
    }  # fmt: skip
    with pytest.raises(Refused, match="amendment_waits"):
        keep(made, people)
    path = reverse("monitoring:amendment", args=[project.pk, amendment.pk])
    seen = {"content_hash": amendment.content_hash}
    passed = seen | {"outcome": "pass", "review": "read the study"}
    assert client.post(path + "review/", passed).status_code == 403
    client.force_login(people.supervisor)
    assert path in [task.url for task in tasks_of(people.supervisor)]
    assert "asks for more" in client.get(path, headers=ENGLISH).content.decode()
    assert client.post(path + "review/", passed | {"review": ""}).status_code == 422
    assert client.post(path + "review/", passed | {"content_hash": "0"}).status_code == 403
    assert client.post(path + "review/", passed).status_code == 302
    client.force_login(people.management)
    assert path in [task.url for task in tasks_of(people.management)]
    decided = seen | {"decision": "approve", "reason": "agreed", "secret": PASSWORD}
    assert client.post(path + "decide/", decided | {"secret": "wrong"}).status_code == 422
    assert client.post(path + "decide/", decided).status_code == 302
    assert client.post(path + "decide/", decided).status_code == 403
    # Not measured by it yet: nothing is concluded.
    with pytest.raises(Refused, match="amended_since"):
        keep(made, people)
    found = again(monitored, made)
    assert found.met is False
    assert found.remeasured.amendments == [1]
    (k,) = [one for one in found.remeasured.checks if one.kind == "k"]
    assert (k.target, k.former, k.met, bool(k.targets_on)) == (300, risk_targets(project).k, False, True)
    others = [one for one in found.remeasured.checks if one.kind not in ("k",)]
    assert not [one.kind for one in others if one.targets_on]
    shown = client.get(page, headers=ENGLISH).content.decode()
    assert f"By the targets amended on {k.targets_on}; formerly ≥ {k.former:g}." in shown
    with pytest.raises(Refused, match="targets_not_met"):
        keep(made, people)
    # What was signed is untouched, and still in force.
    project.refresh_from_db()
    assert (plan_hash(project), basis_hash(project), current_verification(project).content_hash) == signed
    assert may_receive(people.recipient, current_release(project))
    acts = AuditEvent.objects.filter(action__startswith="amendment.").order_by("seq")
    assert [one.action.partition(".")[2] for one in acts] == ["proposed", "reviewed", "approved"]


@needs_poppler
def test_the_report_prints_it_and_later_looks_use_it(monitored, made, people, tmp_path):
    project = monitored.project
    steps.approved(steps.targets(made, people, k=300), people)
    monitored.run_jobs()
    reassessment_conclude(
        steps.fresh(made), outcome=ReassessmentOutcome.SUSPEND, finding="not met", by=people.supervisor
    )
    print_waiting(REPORT_JOB)
    text = " ".join(text_of(Document.objects.get(kind=REPORT, language="en"), tmp_path).split())
    for said in (
        "Amendments of what is measured by",
        "Amendment 1: Risk targets",
        "formerly",
        "Management Person approved agreed",
    ):
        assert said in text, said
    assert yardstick_of(project).risk.k == 300
    assert risk_targets(project).k != 300


def test_a_later_reassessment_is_measured_by_the_last_approved(monitored, made, people):
    steps.approved(steps.targets(made, people, k=300), people)
    steps.approved(steps.targets(made, people, k=6, why="three hundred was one too many"), people)
    monitored.run_jobs()
    keep(made, people)
    later = reported(monitored, people)
    assert later.remeasured.amendments == [1, 2]
    assert [one.target for one in later.remeasured.checks if one.kind == "k"] == [6]


def test_surroundings_move_the_overall_risk_and_the_degree(monitored, made, people, client):
    project, before = monitored.project, risk_targets(monitored.project)
    client.force_login(people.planner)
    path = reverse("monitoring:reassessment", args=[project.pk, made.pk]) + "amend/surroundings/"
    assert client.get(path).status_code == 200
    answers = entries() | {"breach": 0.9}
    assert sent(client, path, answers | {"why": ""}).status_code == 422
    assert sent(client, path, answers | {"why": "they were broken into"}).status_code == 302
    amendment = Amendment.objects.get()
    steps.approved(amendment, people)
    found = again(monitored, made)
    (overall,) = [one for one in found.remeasured.checks if one.kind == "overall"]
    assert (overall.attempt, overall.former_attempt) == (0.9, before.context_risk)
    assert bool(overall.surroundings_on) == (before.context_risk != 0.9)
    assert (
        yardstick_of(project).risk.model_copy(
            update={name: getattr(before, name) for name in ("context_risk", "context_reason")}
        )
        == before
    )
    # The same answers again are nothing new.
    with pytest.raises(Refused, match="nothing_amended"):
        steps.surroundings(made, people, amendment.content["answers"])
    # Weak safeguards lower the degree of anonymisation below 1, which no target asks for, and still is not met.
    weak = ANSWERS | {"safeguards": dict.fromkeys(ANSWERS["safeguards"], 0.0)}
    steps.approved(steps.surroundings(made, people, weak), people)
    found = again(monitored, made).remeasured
    assert found.degree.capability == "low"
    assert found.degree_fell == (found.approved_degree.passed and not found.degree.passed)
    assert found.met == (all(one.met for one in found.checks) and not found.degree_fell)


def test_whether_persons_are_beyond_recovery_goes_by_the_surroundings_that_count(monitored, made, people):
    run = Run.objects.get(pk=made.release.run_id)
    sound = replace(SOUND, recovery=None)
    assert recovery_assessed(run, sound).recovery is None
    # It is the assessment of the measurement, not a newer one that nobody reviewed; one of before the questions gives no ground.
    assert sound.assessment is None
    for number, finding, grounds in (
        (71, {"recovery": {"grounds": ["time"], "beyond": True}}, ("time",)),
        (72, {}, None),
    ):
        put(
            ContextAssessment,
            project=monitored.project,
            number=number,
            answers={},
            finding=finding,
            made_by=people.planner,
        )
        assert recovery_assessed(run, sound).recovery is None
        assert recovery_assessed(run, replace(sound, assessment=number)).recovery == grounds
    for answers, grounds in (({"means": 1.0, "effort": 1.0}, ("means", "effort")), ({"time": 0.5}, ())):
        recovery = dict.fromkeys(ANSWERS["recovery"], 0.0) | answers
        proposed = steps.surroundings(made, people, ANSWERS | {"recovery": recovery})
        before = recovery_assessed(run, sound)
        assert before.recovery != grounds, "a proposal counts for nothing"
        steps.approved(proposed, people)
        found = recovery_assessed(run, sound)
        assert found.recovery == grounds
        assert (designated(found).designation == Designation.ANONYMISED) == bool(grounds)
    # Where something else stands against the stronger word, nobody asks.
    assert recovery_assessed(run, replace(sound, keys=("id",))).recovery is None


def test_columns_count_as_what_they_turned_out_to_be(monitored, made, people, client):
    held = amendable_roles(made.release)
    column = next(name for (_table, name), role in held.items() if role == ColumnRole.SENSITIVE)
    assert column not in made.remeasured.columns
    with pytest.raises(Refused, match="nothing_amended"):
        steps.columns(made, people, "no such column")
    client.force_login(people.planner)
    path = reverse("monitoring:reassessment", args=[made.project_id, made.pk])
    place = str([name for _table, name in held].index(column))
    form = {"columns": [place], "role": "sensitive", "why": "a register was published"}
    assert "columns" in sent(client, path + "amend/columns/", form).context["form"].errors
    assert sent(client, path + "amend/columns/", form | {"role": "quasi"}).status_code == 302
    steps.approved(Amendment.objects.get(), people)
    found = again(monitored, made)
    assert column in found.remeasured.columns
    assert found.remeasured.k < made.remeasured.k
    assert found.met is False
    said = client.get(path, headers=ENGLISH).content.decode()
    assert f"{column} counts as: Quasi-identifier." in said


def test_how_far_the_data_travel_is_not_amended(monitored, made, people):
    with pytest.raises(Refused, match="nothing_amended"):
        steps.targets(made, people, circulation="internal")
    amendment = steps.targets(made, people, circulation="internal", k=6)
    assert "circulation" not in amendment.content
    with override("en"):
        assert [row.label for row in changed_rows(amendment)] == ["Smallest equivalence class (k)"]


def test_what_asks_for_less_is_said_to_whoever_decides(monitored, made, people, client):
    amendment = steps.targets(made, people, suppression_limit=0.9, reassess_months=60)
    path = reverse("monitoring:amendment", args=[made.project_id, amendment.pk])
    client.force_login(people.management)
    said = client.get(path, headers=ENGLISH).content.decode()
    assert (
        "Whoever approves it lets the release pass with more risk than was signed: Suppression limit" in said
    )
    rows = client.get(reverse("api:amendments", args=[made.project_id, made.pk])).json()[0]["rows"]
    assert [row["direction"] for row in rows] == ["looser", "looser"]


def test_what_a_column_is_asked_then(made, people):
    held = {role: name for (_table, name), role in amendable_roles(made.release).items()}
    assert ColumnRole.DIRECT not in held
    for role, to, direction in (
        ("other", ColumnRole.QUASI, "stricter"),
        ("sensitive", ColumnRole.QUASI, "other"),
        ("quasi", ColumnRole.SENSITIVE, "looser"),
    ):
        (row,) = changed_rows(steps.columns(made, people, held[role], role=to))
        assert row.direction == direction


def test_nobody_judges_their_own_and_nothing_is_judged_twice(monitored, made, people):
    amendment = steps.targets(made, people, k=50)
    others = (people.planner, people.executor, people.management, people.auditor, people.recipient)
    for who in others:
        with pytest.raises(Refused):
            steps.review(amendment, people, by=who)
    with pytest.raises(Refused, match="amendment_not_reviewed"):
        steps.decide(amendment, people)
    reviewed = steps.review(amendment, people)
    for who in (people.planner, people.executor, people.supervisor, people.auditor, people.recipient):
        with pytest.raises(Refused):
            steps.decide(reviewed, people, by=who)
    with pytest.raises(Refused, match="amendment_judged_already"):
        steps.review(reviewed, people)
    steps.decide(reviewed, people, approve=False)
    assert yardstick_of(made.project).amendments == []
    # Refused by the supervisor it never reaches senior management.
    refused = steps.review(steps.targets(made, people, k=60), people, passed=False)
    with pytest.raises(Refused, match="amendment_judged_already"):
        steps.decide(refused, people)


def test_a_later_proposal_replaces_one_and_the_conclusion_ends_one(monitored, made, people):
    first = steps.targets(made, people, k=50)
    second = steps.targets(made, people, k=60)
    reassessment_conclude(
        steps.fresh(made), outcome=ReassessmentOutcome.SUSPEND, finding="to be seen", by=people.supervisor
    )
    outcomes = dict(Amendment.objects.values_list("number", "outcome"))
    assert outcomes == {first.number: "replaced", second.number: "lapsed"}
    with pytest.raises(Refused):
        steps.targets(Reassessment.objects.get(pk=made.pk), people, k=70)


def test_by_programs(monitored, made, people, client):
    path = reverse("api:amendments", args=[made.project_id, made.pk])
    client.force_login(people.planner)
    body = {"kind": "surroundings", "why": "a new network"}
    said = client.post(path, body, content_type="application/json")
    assert (said.status_code, list(said.json())) == (400, ["answers"])
    assert client.post(path, body | {"answers": ANSWERS}, content_type="application/json").status_code == 201
    (row,) = client.get(path).json()
    assert row["outcome"] == "waiting"
    client.force_login(people.supervisor)
    one = reverse("api:amendments-review", args=[made.project_id, row["id"]])
    judged = {"passed": True, "review": "so", "content_hash": row["content_hash"]}
    assert client.post(one, judged, content_type="application/json").json()["outcome"] == "reviewed"
    client.force_login(people.management)
    one = reverse("api:amendments-decide", args=[made.project_id, row["id"]])
    judged = {"approve": True, "reason": "so", "content_hash": row["content_hash"], "secret": "wrong"}
    assert client.post(one, judged, content_type="application/json").status_code == 400
    judged["secret"] = PASSWORD
    assert client.post(one, judged, content_type="application/json").json()["outcome"] == "approved"


def test_what_was_amended_is_said_beside_the_number_and_nothing_else():
    row = {"kind": "k", "target": 20, "unit": "count", "sense": "at_least"}
    by_targets = RemeasuredCheck(**row, targets_on="2026-11-26", former=5)
    newly = RemeasuredCheck(**row, targets_on="2026-11-26")
    around = RemeasuredCheck(**row, surroundings_on="2026-11-25", attempt=0.9, former_attempt=0.5)
    with override("en"):
        assert amended_texts(RemeasuredCheck(**row)) == []
        assert amended_texts(by_targets) == ["By the targets amended on 2026-11-26; formerly ≥ 5."]
        assert amended_texts(newly) == [
            "By the targets amended on 2026-11-26; at approval nothing alike was asked for."
        ]
        assert amended_texts(around) == [
            "By the surroundings amended on 2026-11-25: probability of an attempt 90 %; formerly 50 %."
        ]
        degree = {"k": 5, "scenario_coefficient": 0.2, "environment_coefficient": 0.5}
        fell = Remeasurement(
            degree=Degree(**degree, degree=0.5, passed=False),
            approved_degree=Degree(**degree, degree=1.0, passed=True),
        )
        assert degree_fell_text(fell) == (
            "In the amended surroundings the degree of anonymisation by T/ISC 0078 is 0.5, below 1; at approval it was 1."
        )
    assert fell.degree_fell
    assert not Remeasurement(degree=fell.degree, approved_degree=fell.degree).degree_fell
    assert not Remeasurement().degree_fell
