"""The supervisor has records of a result drawn, looks at them, and says what was found; auditors draw the same again."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.models import Notification
from projects.core.tasks_registry import tasks_of
from projects.datasets.models import StoredFile
from projects.datasets.store.holdings import holdings_of
from projects.findings.draw import rows_drawn
from projects.findings.enums import FindingSeverity, FindingSource, FindingStatus
from projects.findings.inspected import reading, rules, selectors, services
from projects.findings.inspected.bounds import most_affected
from projects.findings.inspected.enums import InspectionKind, InspectionOutcome, SampleUnit
from projects.findings.inspected.presentation import shown_whole, statement
from projects.findings.models import Finding, ResultDeviation, ResultSample
from projects.findings.providers import inspected_pointer
from projects.findings.services import finding_act, finding_check
from projects.jobs.models import Job
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.selectors import latest_verification
from projects.workflow import State
from techniques.tables import detect
from tests.projects.rows import change
from tests.projects.verification import stories

pytestmark = pytest.mark.django_db
START = stories.measurable
ENGLISH = {"headers": {"accept-language": "en"}}
MOST_STATEMENTS = 21
FOUND = {InspectionKind.NAMED: "Column 3 of record 17 holds a name."}


@pytest.fixture
def story(story_at):
    return story_at(State.VERIFICATION, stories.measurable)


def drawn(story, people, **given) -> ResultSample:
    made = services.result_sample_draw(story.project, by=people.supervisor, **given)
    story.run_jobs()
    return read(made)


def read(sample) -> ResultSample:
    return selectors.result_sample_get(sample.project, sample.pk)


def looked(sample, people) -> ResultSample:
    """Every page."""
    page = services.result_sample_look(sample, page=1, by=people.supervisor)
    for number in range(2, page.pages + 1):
        services.result_sample_look(sample, page=number, by=people.supervisor)
    return read(sample)


def report(sample, people, **given) -> ResultSample:
    said = {"found": 0, "deviations": {}, "remark": "Every column of each record, against the dictionary."}
    services.result_sample_report(sample, **said | given, by=people.supervisor)
    return read(sample)


def written_rows(sample) -> list[list[str]]:
    written = tables_of_run(sample.run)[sample.of_table]
    with result_open(written) as stream:
        return [*csv.reader(io.TextIOWrapper(stream, "utf-8-sig", newline=""))][1:]


def url(name, sample):
    return reverse(f"findings:{name}", args=[sample.project_id, sample.pk])


def test_the_records_are_those_of_the_seed(story, people):
    sample = drawn(story, people)
    assert (sample.outcome, sample.unit) == (InspectionOutcome.OPEN, SampleUnit.RECORD)
    assert (sample.population, sample.size) == (600, 54)
    numbers = rows_drawn(600, seed=sample.seed, size=54)
    found = selectors.rows_of(sample)
    assert [row[:2] for row in found["rows"]] == [[place, number] for place, number in enumerate(numbers, 1)]
    rows = written_rows(sample)
    assert [row[2] for row in found["rows"]] == [rows[number - 1] for number in numbers]
    # No value stands in a row of the database, in the log or in the job.
    value = max((cell for row in found["rows"] for cell in row[2]), key=len)
    kept = [*AuditEvent.objects.values(), *ResultSample.objects.values(), *Job.objects.values()]
    assert len(value) > 2
    assert f'"{value}"' not in json.dumps(kept, default=str, ensure_ascii=False)
    assert sample.sha256 == tables_of_run(sample.run)[""].result_sha256


def test_one_at_a_time_and_of_a_size(story, people):
    sample = drawn(story, people, size=5)
    assert sample.size == 5
    with pytest.raises(Refused, match="result_sample_waits"):
        services.result_sample_draw(story.project, by=people.supervisor)
    report(looked(sample, people), people)
    for wrong, code in (
        ({"size": 0}, "result_sample_size"),
        ({"size": rules.MOST + 1}, "result_sample_size"),
        ({"table": "another"}, "result_sample_table"),
    ):
        with pytest.raises(Refused, match=code):
            services.result_sample_draw(story.project, by=people.supervisor, **wrong)
    assert drawn(story, people).number == 2


@pytest.mark.parametrize("role", ["planner", "executor", "management", "recipient", "auditor", "outsider"])
def test_only_the_supervisor_draws_and_reports(story, people, role):
    user = getattr(people, role)
    with pytest.raises(Refused):
        services.result_sample_draw(story.project, by=user)
    sample = looked(drawn(story, people), people)
    with pytest.raises(Refused):
        services.result_sample_report(sample, found=0, deviations={}, remark="x", by=user)
    if role != "auditor":
        with pytest.raises(Refused):
            services.result_sample_look(sample, page=1, by=user)
    assert read(sample).outcome == InspectionOutcome.OPEN


def test_the_pages_from_the_draw_to_the_report(story, people, client):
    client.force_login(people.supervisor)
    page = reverse("findings:result_samples", args=[story.project.pk])
    assert client.post(page, {"size": 501}).status_code == 422
    assert client.post(page, {"size": ""}).status_code == 302
    sample = ResultSample.objects.get()
    assert sample.asked is None
    waiting = client.get(url("result_sample", sample), **ENGLISH).content.decode()
    assert "Read the records that were drawn" in waiting
    assert client.get(url("result_sample_look", sample)).status_code == 403
    story.run_jobs()
    sample = read(sample)
    # Nobody reports who has not looked.
    assert (
        client.post(url("result_sample", sample), {"nothing": "on", "found": 0, "remark": "x"}).status_code
        == 403
    )
    shown = client.get(url("result_sample_look", sample), **ENGLISH)
    content = shown.content.decode()
    assert shown["Cache-Control"] == "no-store, private"
    assert f"This viewing is recorded: {people.supervisor}" in content
    assert f'data-mark="{people.supervisor}' in content
    for _place, number, cells in selectors.rows_of(sample)["rows"][:25]:
        assert f'<th scope="row" class="num">{number}</th>' in content
        assert all(escape(cell) in content for cell in cells)
    assert client.get(url("result_sample_look", sample) + "?page=3").status_code == 200
    shown_pages = AuditEvent.objects.filter(action="result_sample.looked").order_by("seq")
    assert [(one.facts["first"], one.facts["last"]) for one in shown_pages] == [(1, 25), (51, 54)]
    sent = {"found": 2, "named": "Column 3 of record 17 holds a name.", "remark": "Every column."}
    assert client.post(url("result_sample", sample), sent | {"nothing": "on"}).status_code == 422
    # The second page was not seen: the report is about the others.
    assert (read(sample).pages_seen, read(sample).looked) == ([1, 3], 29)
    assert "29 of 54" in client.get(url("result_sample", sample), **ENGLISH).content.decode()
    assert client.post(url("result_sample", sample), sent | {"found": 30}).status_code == 422
    assert client.post(url("result_sample", sample), sent | {"found": 0}).status_code == 422
    assert client.post(url("result_sample", sample), sent).status_code == 302
    after = client.get(url("result_sample", sample), **ENGLISH).content.decode()
    assert "Something was found in 2 of the 29 that were looked through, of 54 drawn from 600." in after
    assert f"at most {most_affected(600, 29, 2)} of them" in after
    listed = client.get(page, **ENGLISH).content.decode()
    assert "54 of 600 records" in listed
    ticket = Finding.objects.get()
    client.get(reverse("findings:detail", args=[story.project.pk, ticket.pk]))
    assert (
        reverse("findings:result_samples", args=[story.project.pk])
        in client.get(reverse("findings:page", args=[story.project.pk])).content.decode()
    )


def test_what_was_found_becomes_findings_and_is_put_right(story, people, django_capture_on_commit_callbacks):
    sample = looked(drawn(story, people), people)
    found = FOUND | {InspectionKind.DAMAGED: "Record 20 ends in the middle of a word."}
    with pytest.raises(Refused, match="result_sample_found"):
        report(sample, people, found=0, deviations=found)
    with pytest.raises(Refused, match="result_sample_found"):
        report(sample, people, found=1)
    with pytest.raises(Refused, match="personal_in_text"):
        report(sample, people, found=1, deviations={InspectionKind.NAMED: "13912345478"})
    with django_capture_on_commit_callbacks(execute=True):
        sample = report(sample, people, found=2, deviations=found)
    assert (sample.outcome, sample.found) == (InspectionOutcome.FOUND, 2)
    tickets = {one.kind: one.ticket for one in ResultDeviation.objects.select_related("ticket")}
    named, damaged = tickets["named"], tickets["damaged"]
    assert (named.source, named.severity, damaged.severity) == (
        FindingSource.RESULT, FindingSeverity.CRITICAL, FindingSeverity.MINOR
    )  # fmt: skip
    assert (named.owner, named.due_on, named.origin_id) == (
        people.planner, timezone.localdate() + timedelta(days=14), sample.pk
    )  # fmt: skip
    with override("en"):
        assert named.headline == "A value that names somebody"
    finding_act(named, action="The column is removed.", by=people.planner)
    assert (
        finding_check(named, effective=True, remark="It is.", by=people.supervisor).status
        == FindingStatus.CLOSED
    )
    assert Notification.objects.filter(user=people.planner, action="result_sample.deviated").exists()
    with pytest.raises(Refused, match="result_sample_reported"):
        report(sample, people)


def test_nothing_found_says_how_much_at_most(story, people):
    sample = report(looked(drawn(story, people), people), people)
    with override("en"):
        said = statement(sample)
    assert said == (
        "Nothing was found in the 54 that were looked through, of 54 drawn from 600. At 95 % confidence at most 30 of them (5 %) are "
        "affected: the largest K with "
        "C(N − K, n) / C(N, n) above 5 %, N = 600, n = 54; the rule of three, 3 / n, says 5.56 %."
    )
    # The rows are gone with the report.
    assert StoredFile.objects.get(purpose="result_sample").destroyed_at is not None
    event = AuditEvent.objects.get(action="result_sample.read")
    assert event.facts == event.facts | {"sample_unit": "record", "drawn": 54, "drawable": 600}


@pytest.mark.parametrize(
    ("places", "seen", "whole"),
    [([1, 2, 3, 4, 5], {1}, 2), ([1, 1, 1, 2, 3], {1, 2}, 2), ([1, 1, 1, 2, 3], {1}, 0), ([1, 2], {2}, 0), ([1, 2, 3], {1, 2}, 3)],
)  # fmt: skip
def test_who_was_shown_in_part_was_not_looked_through(places, seen, whole):
    assert shown_whole(places, seen, 2) == whole


def test_what_is_said_is_of_those_that_were_looked_through(story, people):
    sample = drawn(story, people)
    services.result_sample_look(sample, page=1, by=people.supervisor)
    services.result_sample_look(sample, page=2, by=people.auditor)
    sample = report(read(sample), people)
    assert (sample.looked, sample.pages_seen) == (25, [1]), (
        "what an auditor sees was not the supervisor's look"
    )
    with override("en"):
        said = statement(sample)
    assert "Nothing was found in the 25 that were looked through, of 54 drawn" in said
    assert f"at most {most_affected(600, 25, 0)} of them" in said


def test_an_auditor_draws_the_same_again(story, people, client):
    sample = report(looked(drawn(story, people), people), people)
    client.force_login(people.auditor)
    assert client.get(url("result_sample_look", sample)).status_code == 403
    assert client.post(url("result_sample_read", sample)).status_code == 302
    assert client.post(url("result_sample_read", sample)).status_code == 403
    story.run_jobs()
    shown = client.get(url("result_sample_look", sample), **ENGLISH).content.decode()
    rows = written_rows(sample)
    for number in rows_drawn(600, seed=sample.seed, size=54)[:25]:
        assert f'<th scope="row" class="num">{number}</th>' in shown
        assert all(escape(cell) in shown for cell in rows[number - 1])
    assert read(sample).outcome == InspectionOutcome.NOTHING


def test_the_rows_do_not_lie_ready_for_long(story, people):
    sample = drawn(story, people)
    assert "findings.resultsample.content" in {one.code for one in holdings_of(story.project)}
    assert services.results_expire() == 0
    with time_machine.travel(timezone.now() + services.KEPT + timedelta(minutes=1)):
        with pytest.raises(Refused, match="result_sample_not_there"):
            services.result_sample_look(sample, page=1, by=people.supervisor)
        assert services.results_expire() == 1
        assert services.results_expire() == 0
        services.result_sample_read(read(sample), by=people.supervisor)
        story.run_jobs()
        assert looked(read(sample), people).looked_at is not None


def test_a_result_that_was_altered_is_shown_to_nobody(story, people):
    sample = drawn(story, people)
    stored = tables_of_run(sample.run)[""].result
    change(stored, sha256="0" * 64)
    with pytest.raises(Refused, match="inspected_result_altered"):
        services.result_sample_look(read(sample), page=1, by=people.supervisor)
    with pytest.raises(Refused, match="inspected_result_altered"):
        services.result_sample_read(read(sample), by=people.supervisor)


def test_a_job_that_breaks_off_leaves_nothing_drawn(story, people):
    made = services.result_sample_draw(story.project, by=people.supervisor)
    change(tables_of_run(made.run)[""].result, sha256="0" * 64)
    with pytest.raises(RuntimeError, match="inspected_result_altered"):
        story.run_jobs()
    made = read(made)
    assert (made.outcome, made.population) == (InspectionOutcome.FAILED, None)
    assert not StoredFile.objects.filter(scope__startswith="result_sample").exists()
    with pytest.raises(Refused, match="result_sample_not_drawn"):
        services.result_sample_read(made, by=people.supervisor)


def test_who_judges_reads_it_in_the_approval_report(story, people):
    verification = story.measure()
    assert inspected_pointer(story.fresh()) is None
    report(looked(drawn(story, people), people), people)
    with override("en"):
        context = report_document_context(latest_verification(story.fresh()), kind=REPORT_KIND)
        assert any(line.startswith("C1: 54 of 600 records. Nothing was found") for line in context["weigh"])
    assert verification.run_id == ResultSample.objects.get().run_id


def test_the_api_draws_and_reports(story, people, client):
    client.force_login(people.supervisor)
    address = reverse("api:result-samples", args=[story.project.pk])
    made = client.post(address, {"size": 10}, content_type="application/json").json()
    story.run_jobs()
    looked(ResultSample.objects.select_related("project", "run").get(pk=made["id"]), people)
    one = reverse("api:result-sample", args=[story.project.pk, made["id"]])
    sent = {
        "found": 1,
        "remark": "Every column.",
        "deviations": [{"kind": "combination", "text": "Age and town together."}],
    }
    assert client.post(one, sent | {"found": 0}, content_type="application/json").status_code == 403
    done = client.post(one, sent, content_type="application/json", **ENGLISH).json()
    assert (done["population"], done["size"], done["found"], done["unit"]) == (600, 10, 1, "record")
    assert done["most"] == 235
    assert done["deviations"][0]["finding"] == str(Finding.objects.get().pk)
    (listed,) = client.get(address, {"limit": 1}).json()["results"]
    assert listed["seed"] == made["seed"]


def test_what_waits_for_its_report_is_a_task_of_who_drew_it(story, people):
    address = reverse("findings:result_samples", args=[story.project.pk])
    assert address not in [task.url for task in tasks_of(people.supervisor)]
    sample = drawn(story, people)
    (task,) = [one for one in tasks_of(people.supervisor) if one.url == address]
    assert task.due == sample.drawn_at
    assert address not in [one.url for one in tasks_of(people.auditor)]
    report(looked(sample, people), people)
    assert address not in [one.url for one in tasks_of(people.supervisor)]


def test_many_samples_stand_on_several_pages(story, people, client, monkeypatch):
    monkeypatch.setattr("projects.findings.inspected.views.ON_A_PAGE", 1)
    for _ in range(2):
        report(looked(drawn(story, people), people), people)
    client.force_login(people.supervisor)
    address = reverse("findings:result_samples", args=[story.project.pk])
    first, second = (client.get(address, {"page": number}).context["rows"] for number in (1, 2))
    assert [row["sample"].number for row in (*first, *second)] == [2, 1]


# -- whole persons ---------------------------------------------------------------------------------------------


def written_of(content: bytes, subjects):
    """What a run would have written: a result whose rows are of these persons, read as the job reads one."""
    written = SimpleNamespace(result_rows=content.count(b"\n") - 1)

    def reads(**asked):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "result_open", lambda one: io.BytesIO(content))
            patch.setattr(reading, "result_format", lambda one: detect(io.BytesIO(content)))
            patch.setattr(reading, "result_subjects", lambda one: subjects)
            return reading.records_read(written, tick=lambda share: None, **asked)

    return reads


@given(st.lists(st.integers(-1, 12), min_size=1, max_size=60), st.integers(1, 20), st.integers(0, 10**6))
def test_persons_are_drawn_with_all_their_rows(whose, asked, seed):
    content = ("row,place\n" + "".join(f"R{row},P{who}\n" for row, who in enumerate(whose, 1))).encode()
    reads = written_of(content, np.array(whose, dtype=np.int32))
    found = reads(seed=str(seed), asked=asked)
    there = len({*whose} - {-1}) + whose.count(-1)
    assert (found["unit"], found["population"], found["size"]) == ("person", there, min(asked, there))
    assert found == reads(seed=str(seed), asked=asked)
    by_place: dict[int, list[int]] = {}
    for place, number, cells in found["rows"]:
        assert cells == [f"R{number}", f"P{whose[number - 1]}"]
        by_place.setdefault(place, []).append(number)
    assert [*by_place] == [*range(1, found["size"] + 1)]
    for numbers in by_place.values():
        who = whose[numbers[0] - 1]
        expected = [row for row, one in enumerate(whose, 1) if one == who] if who >= 0 else numbers[:1]
        assert numbers == expected


def test_each_person_is_drawn_about_as_often_however_many_rows_they_have():
    """Of 2000 draws of 3 among 10 persons each is in 600 on average; eight standard deviations are 164."""
    whose = [0] * 40 + [*range(1, 10)]
    content = ("row\n" + "".join(f"R{row}\n" for row in range(len(whose)))).encode()
    counted: Counter[int] = Counter()
    reads = written_of(content, np.array(whose, dtype=np.int32))
    for seed in range(2000):
        rows = reads(seed=str(seed), asked=3)["rows"]
        counted.update({whose[number - 1] for _place, number, _cells in rows})
    assert set(counted) == set(range(10))
    assert all(abs(times - 600) < 164 for times in counted.values())


def test_of_a_person_with_very_many_rows_the_first_are_shown():
    rows = reading.MOST_ROWS_EACH + 1
    reads = written_of(("row\n" + "a\n" * rows).encode(), np.zeros(rows, dtype=np.int32))
    found = reads(seed="00ff", asked=None)
    assert (found["population"], len(found["rows"]), found["is_cut"]) == (1, reading.MOST_ROWS_EACH, True)


def test_the_pages_ask_little(story, people, client, django_assert_max_num_queries):
    for _number in range(3):
        report(looked(drawn(story, people), people), people, found=1, deviations=FOUND)
    sample = drawn(story, people)
    pages = [
        reverse("findings:result_samples", args=[story.project.pk]),
        url("result_sample", sample),
        url("result_sample_look", sample),
    ]
    for user in (people.supervisor, people.planner):
        client.force_login(user)
        for page in pages if user == people.supervisor else pages[:2]:
            with django_assert_max_num_queries(MOST_STATEMENTS):
                assert client.get(page).status_code == 200


def test_a_value_is_shown_to_its_end_and_a_very_long_one_says_that_it_goes_on():
    long = "x" * reading.MOST_CHARACTERS
    found = written_of(f"row\n{long}\n{long}y\n".encode(), None)(seed="00ff", asked=2)
    assert sorted(cells[0] for _place, _number, cells in found["rows"]) == [long, long + "…"]
