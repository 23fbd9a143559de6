"""The portfolio: what stands in it of which project, by whom it is seen, and how it leaves as a file."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime, timedelta
from importlib import import_module
from itertools import product
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from approvals.decisions.models import ReviewOutcome
from projects.core import deadlines
from projects.core.deadlines import deadline_of
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.returns import current_return, returned_among
from projects.core.services import project_create, project_move
from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.services import finding_raise
from projects.monitoring.portfolio.forms import Order
from projects.monitoring.portfolio.presentation import risk_source, risk_text
from projects.monitoring.portfolio.selectors import MeasuredRisk, portfolio_of, why_said
from projects.monitoring.services import stage_review_record
from projects.objective.selectors import objective_of
from projects.releases.enums import DeliveryStatus
from projects.releases.models import Agreement, Delivery
from projects.verification.models import Verification
from projects.verification.reports.gate import checks_of, greatest_risk
from projects.verification.selectors import latest_verification
from projects.workflow import Move, Stage, State
from tests.access.test_many_rows import clone
from tests.fixtures import make_project
from tests.projects.objective.steps import fill, fresh, submit, write_plan
from tests.projects.releases import stories
from tests.projects.rows import agree, change, put, unkept

START = stories.released
BACKEND = "deid_portal.accounts.backends.AccountBackend"
PAGE, FILE, API = (
    reverse(f"{space}") for space in ("board:portfolio", "board:portfolio_csv", "api:portfolio")
)


def shown(client, user, address=PAGE, **query):
    client.force_login(user, backend=BACKEND)
    return client.get(address, query, headers={"accept-language": "en"})


@pytest.fixture
def drafted(people, monitored):
    """A second project, whose plan is written."""
    project = fill(make_project(people, "=SUM(A1) study"), people)
    write_plan(project, people, deadlines={"objective": "2031-03-03"})
    return fresh(project)


def test_the_risk_is_the_measured_one_and_says_of_which_run(monitored, people, drafted):
    found = portfolio_of(people.management)
    by_project = {line.project.pk: line for line in found.lines}
    assert set(by_project) == {monitored.project.pk, drafted.pk}
    verification = latest_verification(monitored.project)
    measured = max(one.measured for one in verification.results if one.kind == "max_risk")
    risk = by_project[monitored.project.pk].risk
    assert (risk.share, risk.verification, risk.run, risk.newer_run) == (measured, 1, 1, None)
    with translation.override("en"):
        day = timezone.localtime(verification.measured_at).date().isoformat()
        assert risk_source(risk) == f"verification 1 of run 1, {day}"
        assert by_project[drafted.pk].risk is None
        assert (risk_text(None), risk_source(None)) == ("–", "not measured yet")


def result(kind, measured, passed=True, table="", plain=""):
    said = {"message": plain, "params": {}} if plain else None
    return {"kind": kind, "measured": measured, "passed": passed, "table": table, "plain": said}


NOBODY = "No quasi-identifier is left in the result, so nobody can be found by one."
UNJUDGED = "Not judged yet"


@pytest.mark.parametrize(
    ("checks", "share", "why"),
    [
        # The view that joins the tables shows more than each of them.
        ([result("k", 20, table="a"), result("max_risk", 0.05, table="a"), result("joined", 4)], 0.25, ""),
        ([result("k", 2, table="a"), result("max_risk", 0.5, table="a"), result("joined", 4)], 0.5, ""),
        # A table in which nobody can be found leaves the others as they are.
        ([result("k", None, plain=NOBODY, table="b"), result("max_risk", 0.1, table="a")], 0.1, ""),
        ([result("k", None, plain=NOBODY)], None, NOBODY),
        # One that was not measured might hold the greatest.
        (
            [result("k", None, None, "b", UNJUDGED), result("max_risk", 0.1, table="a")],
            None,
            f"b: {UNJUDGED}",
        ),
        ([result("max_risk", 0.1, table="a"), result("joined", None, None, plain=UNJUDGED)], None, UNJUDGED),
        ([result("max_risk", 0.1, table="a"), result("max_risk", None, None, "b", UNJUDGED)], None, f"b: {UNJUDGED}"),
        ([], None, ""),
    ],
)  # fmt: skip
def test_a_risk_that_is_not_known_everywhere_is_none(checks, share, why):
    with translation.override("en"):
        assert greatest_risk(checks_of(checks))[0] == share
        assert why_said(greatest_risk(checks_of(checks))[1]) == why
        # What was measured before the figure had a column of its own has the same.
        assert import_module("projects.verification.migrations.0005_max_risk").greatest(checks) == share
        risk = MeasuredRisk(share, 1, 1, timezone.now(), True, None, why)
        assert risk_text(risk) == ("–" if share is None else f"{round(100 * share)} %")
        assert risk_source(risk).startswith("verification 1 of run 1, ")
        assert risk_source(risk).endswith(f"({why})") is bool(why)


def test_releases_stand_by_recipient_and_what_is_due_by_day(monitored, people, drafted):
    monitored.fetch()
    found = portfolio_of(people.management)
    (line,) = found.recipients
    assert (line.organisation, line.fetched) == (people.recipient.department or "–", 1)
    assert [project.pk for project in line.projects] == [monitored.project.pk]
    (due,) = found.due
    assert due.reassessment.release.project_id == monitored.project.pk
    submit(drafted, people)
    stage_review_record(
        fresh(drafted), object="the plan", time=timezone.now(), process="read", result="the scope is unclear",
        measures="say who receives it", outcome=ReviewOutcome.RETURNED, by=people.supervisor,
    )  # fmt: skip
    # Its own deadline is later than that of the re-assessment.
    _reassessed, returned = portfolio_of(people.management).due
    assert returned.returned.reason == "the scope is unclear"
    assert returned.project.pk == drafted.pk
    every = Project.objects.all()
    assert {*returned_among(every)} == {one for one in every if current_return(one)} == {drafted}


def _let_rows_in(*tables: str) -> None:
    """The triggers of these tables are gone, so that rows are what the test needs and no story has to lead there."""
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')


def test_recipients_of_one_organisation_hold_a_release_once(monitored, people, drafted):
    """What each organisation holds and fetched; who fetched under the agreement of another does not count for it."""
    with unkept():
        release = monitored.project.releases.get()
        first = monitored.project.agreements.get()
        _let_rows_in("releases_agreement")
        second = agree(
            monitored.project, people.outsider, organisation=first.organisation, valid_until=date(2027, 1, 1)
        )
        other = agree(monitored.project, people.planner, organisation="Another", valid_until=date(2031, 1, 1))
        agree(drafted, people.outsider, organisation="Nothing is released to them")
        agree(monitored.project, people.executor, organisation="Over", ended_at=timezone.now())
        for recipient, times in (
            (first.recipient, 1),
            (second.recipient, 2),
            (other.recipient, 4),
            (people.executor, 8),
        ):
            for _time in range(times):
                put(
                    Delivery,
                    release=release,
                    recipient=recipient,
                    status=DeliveryStatus.FETCHED,
                    verified_at=timezone.now(),
                    fetched_at=timezone.now(),
                )
        put(Delivery, release=release, recipient=other.recipient, status=DeliveryStatus.VERIFYING)

        def held(named=None):
            found = portfolio_of(people.management, named=named)
            assert [vars(one) for one in found.holders] == [vars(one) for one in found.recipients]
            return {
                one.organisation: (
                    one.count,
                    one.fetched,
                    one.agreed_until,
                    [held.number for held in one.projects],
                )
                for one in found.recipients
            }

        number = monitored.project.number
        until = min(first.valid_until, second.valid_until)
        assert held() == {
            first.organisation: (1, 3, until, [number]),
            "Another": (1, 4, date(2031, 1, 1), [number]),
        }
        assert held(named=0)["Another"] == (1, 4, date(2031, 1, 1), [])
        # Once nobody has an agreement, whoever fetched it counts; who may have it depends on how it is shared.
        QuerySet(Agreement).update(ended_at=timezone.now())
        assert held() == {"": (1, 15, None, [number])}
        (line,) = portfolio_of(people.management).recipients
        assert not line.public
        change(monitored.project, sharing_type=SharingType.PUBLIC)
        (line,) = portfolio_of(people.management).recipients
        assert line.public
        assert line.fetched == 15
        change(release, ended_at=timezone.now(), ended_why="withdrawn")
        assert not portfolio_of(people.management).recipients


def test_what_is_counted_is_what_is_listed(monitored, people, drafted):
    """Of each narrowing and each order: the numbers above the table are those of the lines in it."""
    due = timezone.localdate() + timedelta(days=3)
    change(
        objective_of(drafted), plan=objective_of(drafted).plan | {"deadlines": {"objective": due.isoformat()}}
    )
    every = set()
    for narrowing, order in product(
        (
            {},
            {"stage": "objective"},
            {"due": "near"},
            {"due": "overdue"},
            {"due": "none"},
            {"q": "SUM"},
            {"over": True},
        ),
        ["", *Order.values],
    ):
        found = portfolio_of(people.management, order=order, **narrowing)
        lines = list(found.lines)
        assert len(found.lines) == len(lines) == sum(found.by_stage.values())
        assert found.near == sum(one.deadline is not None and one.deadline.is_near for one in lines)
        assert found.overdue == sum(one.deadline is not None and one.deadline.is_overdue for one in lines)
        assert {one.project.pk for one in lines} >= {one.project.pk for one in found.due}
        assert [one.deadline for one in lines] == [deadline_of(one.project) for one in lines]
        every.add((*narrowing.items(), len(lines)))
    assert every == {
        (2,), (("stage", "objective"), 1), (("due", "near"), 1), (("due", "overdue"), 0), (("due", "none"), 1),
        (("q", "SUM"), 1), (("over", True), 2),
    }  # fmt: skip


def test_work_that_was_judged_again_is_no_longer_returned(monitored, people, drafted):
    for outcome, measures in (
        (ReviewOutcome.RETURNED, "say who receives it"),
        (ReviewOutcome.PASSED, "none"),
    ):
        submit(drafted, people)
        stage_review_record(
            fresh(drafted), object="the plan", time=timezone.now(), process="read", result="as it is",
            measures=measures, outcome=outcome, by=people.supervisor,
        )  # fmt: skip
        is_returned = outcome == ReviewOutcome.RETURNED
        assert list(returned_among(Project.objects.all())) == ([drafted] if is_returned else [])
        assert (current_return(fresh(drafted)) is not None) is is_returned
        if is_returned:
            write_plan(fresh(drafted), people, deadlines={"objective": "2031-04-04"})


def test_the_lists_below_come_in_portions(monitored, people, drafted, client, monkeypatch):
    monkeypatch.setattr("projects.monitoring.portfolio.views.DUE_ON_A_PAGE", 1)
    monkeypatch.setattr("projects.monitoring.portfolio.views.NAMED", 0)
    finding_raise(
        drafted, source=FindingSource.REVIEW, stage=Stage.OBJECTIVE, severity=FindingSeverity.MINOR,
        title="A note is missing", description="Empty.", owner=people.executor,
        due_on=timezone.localdate() + timedelta(days=1), by=people.supervisor,
    )  # fmt: skip
    first, second = (shown(client, people.management, due_page=number).content.decode() for number in (1, 2))
    assert "A note is missing" in first
    assert "A note is missing" not in second
    assert "Re-assessment of the release" in second
    assert "Re-assessment of the release" not in first
    assert 'aria-label="Pages of what is due"' in first
    assert "due_page=2#due" in first
    assert 'id="due"' in first
    # What one recipient holds beyond that stands in the register.
    assert "and 1 more" in first
    held = monitored.project.agreements.get().organisation
    assert f"{reverse('board:register')}?{urlencode({'q': held})}" in first
    assert portfolio_of(people.management).due[1].reassessment is not None


def test_the_risk_that_is_shown_is_the_one_that_the_log_proves(monitored, people):
    """The column of the greatest risk orders; somebody who writes it in the database makes no page say it."""
    verification = latest_verification(monitored.project)
    measured = verification.max_risk
    QuerySet(Verification).filter(pk=verification.pk).update(max_risk=0.0001)
    found = portfolio_of(people.management, most_risks=2)
    assert [share for _number, share in found.risks] == [measured]
    assert [line.risk.share for line in found.lines if line.risk] == [measured]


def test_the_picture_has_the_greatest_risks(monitored, people, drafted):
    (one,) = portfolio_of(people.management, most_risks=2).risks
    verification = latest_verification(monitored.project)
    assert one == (monitored.project.number, verification.max_risk)
    # Of a newer one that does not know the risk, none is known.
    clone(verification, number=2, max_risk=None, classes=None)
    assert portfolio_of(people.management, most_risks=2).risks == []
    assert portfolio_of(people.outsider, most_risks=2).risks == []


def test_it_is_narrowed_and_ordered_by_the_address(monitored, people, drafted, client, monkeypatch):
    day = timezone.make_aware(datetime(2031, 3, 10, 12)).date()
    monkeypatch.setattr(deadlines.timezone, "localdate", lambda *given: day)
    numbers = [drafted.number, monitored.project.number]

    def listed(**query):
        given = shown(client, people.management, API, **query).json()["projects"]
        return [one["number"] for one in given]

    assert listed() == numbers
    assert listed(order="risk") == numbers[::-1]
    assert listed(order="age") == numbers[::-1]
    assert listed(stage="objective") == listed(due="overdue") == listed(q="SUM") == numbers[:1]
    assert listed(due="none") == numbers[1:]
    assert listed(due="near") == []
    assert shown(client, people.management, API, order="colour").status_code == 400
    # On the page, what is no choice narrows nothing.
    page = shown(client, people.management, stage="objective").content.decode()
    assert "7 days overdue" in page
    assert monitored.project.title not in page
    project_move(drafted, move=Move.WITHDRAW, by=people.planner, reason="no longer needed")
    assert listed() == numbers[1:]
    assert set(listed(over="on")) == set(numbers)
    assert portfolio_of(people.management, over=True).by_stage[Stage.RELEASE] == 1


def test_who_sees_which_projects(monitored, people, drafted, client):
    other = project_create(title="Somebody else's", by=people.outsider)
    for who, wanted in {
        "planner": 2, "supervisor": 2, "management": 2, "executor": 2, "auditor": 3, "assessor": 2,
        "outsider": 1, "recipient": 0, "administrator": 0,
    }.items():  # fmt: skip
        assert len(portfolio_of(getattr(people, who)).lines) == wanted, who
        page, file = (shown(client, getattr(people, who), address) for address in (PAGE, FILE))
        for answer in (page, file):
            assert answer.status_code == 200
            assert (other.title in answer.content.decode().replace("&#x27;", "'")) == (wanted in (1, 3)), who
            assert (monitored.project.number in answer.content.decode()) == (wanted >= 2), who


def test_the_file_holds_every_line_and_no_formula(monitored, people, drafted, client):
    answer = shown(client, people.management, FILE)
    assert "attachment" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {row["Title"] for row in rows} == {"'=SUM(A1) study", monitored.project.title}
    narrowed = shown(client, people.management, FILE, stage="objective").content.decode("utf-8-sig")
    assert [row["Number"] for row in csv.DictReader(io.StringIO(narrowed))] == [drafted.number]


def test_more_projects_need_no_more_statements(monitored, people, client):
    client.force_login(people.management, backend=BACKEND)
    asked = []
    for count in (1, 12):
        for index in range(count):
            write_plan(fill(make_project(people, f"More {index}"), people), people)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(PAGE).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 25, asked


def test_days_are_counted_from_when_it_was_opened(people, drafted, monkeypatch):
    later = timezone.localdate() + timedelta(days=40)
    monkeypatch.setattr(
        "projects.monitoring.portfolio.selectors.timezone.localdate",
        lambda at=None: later if at is None else at.date(),
    )
    (line,) = [one for one in portfolio_of(people.management).lines if one.project.pk == drafted.pk]
    assert 39 <= line.age <= 41
    assert line.project.state == State.OBJECTIVE_DRAFT
