"""Who scans and judges, and when it is settled whose rows a table holds (5.3, B.1)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile, Table, TableLink
from projects.identification import rules
from projects.identification.models import IdentificationRound, PersonCount, PersonKey
from projects.identification.persons import rules as persons
from projects.identification.persons.counts import Counted
from projects.workflow import State
from tests.projects.rows import change, put, team, unkept

pytestmark = pytest.mark.django_db
COLUMNS = [f"c{number}" for number in range(25)]
SHORT, LONG = "ok", "a reason that argues."


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State = State.IDENTIFICATION, report: dict[str, Any] | None = None) -> SimpleNamespace:
    """A table with a data set that is ready and a finished round."""
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    people = team(project)
    table = put(Table, project=project, position=0, name="a")
    row = put(
        Dataset, project=project, table=table, status="ready", rows=9, uploaded_by=people["executor"], stored=put(StoredFile),
        confirmed_by=people["executor"], confirmed_at=timezone.now(), columns=COLUMNS,
    )  # fmt: skip
    round_ = finished(project, row, 1, report or {})
    return SimpleNamespace(
        project=project, people=people, executor=people["executor"], table=table, dataset=row, round=round_
    )


def finished(project: Project, dataset: Dataset, number: int, report: dict[str, Any]) -> IdentificationRound:
    return put(
        IdentificationRound, project=project, dataset=dataset, number=number, status="finished", report_hash="h",
        started_by=dataset.uploaded_by, finished_at=timezone.now(), report=report, dataset_sha256=dataset.sha256,
    )  # fmt: skip


@pytest.mark.parametrize("state", State)
def test_the_executor_scans_and_judges_while_identifying(state):
    it = at(state)
    for role, user in it.people.items():
        allowed = role == "executor" and state == State.IDENTIFICATION
        assert bool(rules.may_scan(user, it.table)) == allowed, role
        assert bool(rules.may_judge(user, it.project, it.round)) == allowed, role
        assert bool(rules.may_give(user, it.project, it.round, it.round)) == allowed, role
    if state != State.IDENTIFICATION:
        assert rules.may_judge(it.executor, it.project, None).code == "wrong_state"


def test_what_is_ready_is_scanned_once_at_a_time():
    it = at()
    change(it.dataset, status="uploaded")
    assert rules.may_scan(it.executor, it.table).code == "no_dataset"
    assert (
        rules.may_scan(it.executor, put(Table, project=it.project, position=1, name="b")).code == "no_dataset"
    )
    change(it.dataset, status="ready")
    running = put(IdentificationRound, project=it.project, dataset=it.dataset, number=2)
    assert rules.may_scan(it.executor, it.table).code == "scan_running"
    change(running, status="failed", finished_at=timezone.now())
    assert rules.may_scan(it.executor, it.table)


def test_verdicts_come_after_a_scan_and_about_the_newest_one():
    it = at()
    newer = finished(it.project, it.dataset, 2, {})
    assert rules.may_judge(it.executor, it.project, None).code == "not_scanned"
    for given, newest, code in (
        (it.round, it.round, ""),
        (it.round, newer, "old_round"),
        (None, newer, ""),
        (it.round, None, "not_scanned"),
        (None, None, "not_scanned"),
    ):
        assert rules.may_give(it.executor, it.project, given, newest).code == code


def counted(*columns: str, most: int = 3, kind: str = "") -> dict[str, Any]:
    return Counted(
        columns, kind, known=9, unknown=0, identified=4, most=most, histogram=((1, None, 4),)
    ).as_json()


def found(*columns: str, most: int = 3) -> dict[str, Any]:
    """What a scan reports that takes the columns for a key of persons."""
    return {"persons": [counted(*columns, most=most, kind="id_card")]}


def link(it: SimpleNamespace, column: str, *, of_person: bool = True) -> TableLink:
    number = it.project.tables.count()
    other = put(Table, project=it.project, position=number, name=f"b{number}")
    return put(
        TableLink, project=it.project, source=it.table, source_column=column, target=other, target_column="z",
        of_person=of_person,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ([], "no_key_columns"),
        (COLUMNS[:1], ""),
        (COLUMNS[:20], ""),
        (COLUMNS[:21], "no_key_columns"),
        (["c0", "c0"], "no_key_columns"),
        (["c0", "x"], "no_such_column"),
    ],
)
def test_a_key_is_of_columns_of_the_file_at_most_twenty(columns, code):
    verdict = persons.may_be_counted(at().round, columns)
    assert verdict.code == code
    assert code != "no_such_column" or verdict.params == {"column": "x"}


def test_a_key_is_counted_before_it_is_decided():
    it = at()
    assert persons.may_stand(it.round, ("c0",), LONG).code == "not_counted"
    put(PersonCount, round=it.round, counted=counted("c0"))
    assert persons.may_stand(it.round, ("c0",), LONG)
    assert persons.may_stand(it.round, ("c0", "c1"), LONG).code == "not_counted"
    it = at(report=found("c3"))
    assert persons.may_stand(it.round, ("c3",), SHORT)


@pytest.mark.parametrize(("reason", "code"), [("", "no_key_reason"), (" a ", "no_key_reason"), ("ab", "")])
def test_every_decision_has_a_reason(reason, code):
    for columns in ((), ("c3",)):
        it = at(report=found("c3", most=1) if not columns else found("c3"))
        assert persons.may_stand(it.round, columns, reason).code == code


@pytest.mark.parametrize(
    ("length", "code"), [(2, "long_key_reason_needed"), (19, "long_key_reason_needed"), (20, "")]
)
def test_one_row_is_one_person_against_what_was_found_only_with_an_argument(length, code):
    it = at(report=found("c3"))
    verdict = persons.may_stand(it.round, (), "x" * length)
    assert verdict.code == code
    assert not code or verdict.params == {"columns": "c3", "length": 20}
    # What somebody had counted out of their own head is no sign.
    other = at()
    put(PersonCount, round=other.round, counted=counted("c0"))
    assert persons.may_stand(other.round, (), SHORT)


def test_a_link_of_persons_and_the_key_are_one_notion():
    it = at(report=found("c3"))
    tie = link(it, "c5")
    assert persons.may_stand(it.round, (), LONG).code == "not_counted", "the link's own column first"
    put(PersonCount, round=it.round, counted=counted("c5"))
    for columns in ((), ("c3",)):
        verdict = persons.may_stand(it.round, columns, LONG)
        assert (verdict.code, verdict.params) == ("link_of_persons", {"link": str(tie)})
    assert persons.may_stand(it.round, ("c5",), SHORT)
    PersonCount.objects.update(counted=counted("c5", most=1))
    assert persons.may_stand(it.round, (), LONG), "everybody has one row by the link, too"
    assert persons.may_stand(it.round, ("c3",), LONG).code == "link_of_persons"


def test_what_a_link_says_are_no_persons_is_no_key():
    it = at(report=found("c3"))
    tie = link(it, "c3", of_person=False)
    verdict = persons.may_stand(it.round, ("c3",), LONG)
    assert (verdict.code, verdict.params) == ("link_not_of_persons", {"link": str(tie)})
    put(PersonCount, round=it.round, counted=counted("c0"))
    assert persons.may_stand(it.round, ("c0",), SHORT)


def test_what_speaks_against_one_row_a_person():
    signs = [
        persons.Candidate(("a",), None, found=True),
        persons.Candidate(("b",), Counted.from_json(counted("b", most=1)), found=True),
        persons.Candidate(("c",), Counted.from_json(counted("c")), found=True),
    ]
    assert persons.against((), signs) is signs[2]
    assert persons.against((), signs[:2]) is None
    assert persons.against(("c",), signs) is None


def test_whose_rows_they_are_is_settled_or_asked():
    assert persons.is_settled(at().round, None).code == "not_looked_for"
    assert persons.is_settled(at(report={"persons": []}).round, None)
    assert persons.is_settled(at(report=found("c3", most=1)).round, None)
    it = at(report=found("c3"))
    verdict = persons.is_settled(it.round, None)
    assert (verdict.code, verdict.params) == ("nobody_said", {"columns": "c3"})
    for columns in ([], ["c3"]):
        assert persons.is_settled(it.round, PersonKey(round=it.round, columns=columns))
    tied = at(report={"persons": []})
    link(tied, "c5")
    assert persons.is_settled(tied.round, None).params == {"columns": "c5"}
    assert persons.is_settled(tied.round, PersonKey(round=tied.round, columns=["c5"]))
    assert (
        persons.is_settled(tied.round, PersonKey(round=tied.round, columns=["c3"])).code == "link_of_persons"
    )


def test_the_key_that_is_settled_is_of_these_data():
    nothing, sign = {"persons": []}, found("c3")
    assert persons.settled_key(at(report=nothing).dataset) == ()
    assert persons.settled_key(at().dataset) is None, "nobody has looked for persons"
    it = at(report=sign)
    assert persons.settled_key(it.dataset) is None
    key = put(PersonKey, round=it.round, columns=["c3", "c1"], reason=LONG)
    assert persons.settled_key(it.dataset) == ("c3", "c1")
    change(key, superseded_at=timezone.now())
    put(PersonKey, round=it.round, columns=[], reason=LONG)
    assert persons.settled_key(it.dataset) == ()
    unscanned, newer, older = at(report=nothing), at(report=nothing), at(report=nothing)
    change(unscanned.round, dataset_sha256="b" * 64)
    assert persons.settled_key(unscanned.dataset) is None
    for other in (newer, older):
        # Whichever of both numbers is the greater one.
        replacing = put(
            Dataset, project=other.project, table=other.table, status="ready", rows=9, uploaded_by=other.executor,
            stored=put(StoredFile), confirmed_by=other.executor, confirmed_at=timezone.now(), columns=COLUMNS,
            pk=uuid.UUID(int=0 if other is newer else 2**128 - 1),
        )  # fmt: skip
        finished(other.project, replacing, 2, nothing)
        assert persons.settled_key(other.dataset) is None
        assert persons.settled_key(replacing) == ()
