"""In an enclave nobody has a copy: the recipient's sample is read on the server and looked at under the limits of its view."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import numpy as np
import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.tasks_registry import tasks_of
from projects.datasets.models import StoredFile
from projects.datasets.samples import MAX_SHOWN, MOST_ROWS
from projects.datasets.store.holdings import holdings_of
from projects.findings.draw import rows_drawn
from projects.findings.enums import FindingSource
from projects.findings.models import Finding, ReceivedSample
from projects.findings.received import rules, selectors
from projects.findings.received.enums import DeviationKind, SampleOutcome
from projects.findings.received.inside import services
from projects.findings.received.inside.selectors import rows_of
from projects.findings.received.services import sample_draw, sample_report
from projects.jobs.models import Job
from projects.processing.models import Run
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.releases.agreements.checks import ON_RECEIPT, checks_in
from projects.releases.deliveries.services import delivery_request
from projects.releases.models import Delivery, Release
from projects.releases.services import release_end
from projects.workflow import State
from tests.projects.enclave.conftest import in_an_enclave
from tests.projects.findings.inspected.test_inspected import written_of
from tests.projects.rows import change

pytestmark = pytest.mark.django_db
START = in_an_enclave
ENGLISH = {"headers": {"accept-language": "en"}}
MOST_STATEMENTS = 21
LEFT_IN = {DeviationKind.IDENTIFIER: "Column 3 of row 17 holds a name."}


@pytest.fixture
def story(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture
def release(story):
    return Release.objects.select_related("project").get(project=story.project)


@pytest.fixture
def opened(story, release, people):
    """Its notice confirmed and its seal verified."""
    delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    return release


def drawn(story, release, people, size=30) -> ReceivedSample:
    made = sample_draw(release, file=0, size=size, by=people.recipient)
    story.run_jobs()
    return read(made, people)


def read(sample, people) -> ReceivedSample:
    return selectors.sample_get(people.recipient, sample.release, sample.pk)


def looked(sample, people) -> ReceivedSample:
    """Every page."""
    page = services.received_look(sample, page=1, by=people.recipient)
    for number in range(2, page.pages + 1):
        services.received_look(sample, page=number, by=people.recipient)
    return read(sample, people)


def report(sample, people, **given) -> ReceivedSample:
    said = {"checked_on": timezone.localdate(), "checked": sample.looked, "deviations": {}}
    sample_report(sample, **said | given, by=people.recipient)
    return read(sample, people)


def check_of(story):
    (check,) = checks_in(story.project.pk).values()
    return check


def written_rows(release) -> list[list[str]]:
    (written,) = tables_of_run(Run.objects.get(pk=release.run_id)).values()
    with result_open(written) as stream:
        return [*csv.reader(io.TextIOWrapper(stream, "utf-8-sig", newline=""))][1:]


def url(name, sample):
    return reverse(f"recipient_samples:{name}", args=[sample.release_id, sample.pk])


def test_nothing_is_drawn_before_the_release_was_opened(story, release, people):
    with pytest.raises(Refused, match="sample_not_opened"):
        sample_draw(release, file=0, size=5, by=people.recipient)
    for who in ("planner", "executor", "supervisor", "management", "auditor", "outsider"):
        assert not rules.may_draw(getattr(people, who), release)


def test_the_rows_are_those_of_the_seed(story, opened, people):
    sample = drawn(story, opened, people)
    assert (sample.outcome, sample.inside, sample.shown_rows) == (SampleOutcome.OPEN, True, 30)
    rows = written_rows(opened)
    assert (sample.rows, sample.population, sample.drawn) == (len(rows), len(rows), 30)
    numbers = rows_drawn(len(rows), seed=sample.seed, size=30)
    found = rows_of(sample)["rows"]
    assert [row[:2] for row in found] == [[place, number] for place, number in enumerate(numbers, 1)]
    assert [row[2] for row in found] == [
        [cell[:MAX_SHOWN] for cell in rows[number - 1]] for number in numbers
    ]
    # No value stands in a row of the database, in the log or in the job.
    value = max((cell for row in found for cell in row[2]), key=len)
    kept = [*AuditEvent.objects.values(), *ReceivedSample.objects.values(), *Job.objects.values()]
    assert len(value) > 2
    assert f'"{value}"' not in json.dumps(kept, default=str, ensure_ascii=False)


def test_the_pages_from_the_draw_to_the_report(story, opened, people, client):
    client.force_login(people.recipient)
    page = reverse("recipient_samples:page", args=[opened.pk])
    assert "all samples together show at most 500 rows" in client.get(page, **ENGLISH).content.decode()
    assert client.post(page, {"file": 0, "size": 30}).status_code == 302
    sample = ReceivedSample.objects.get()
    waiting = client.get(url("sample", sample), **ENGLISH).content.decode()
    assert url("progress", sample) in waiting
    assert client.get(url("progress", sample)).status_code == 200
    assert client.get(url("look", sample)).status_code == 403
    story.run_jobs()
    assert client.get(url("progress", sample)).headers["HX-Refresh"] == "true"
    shown = client.get(url("sample", sample), **ENGLISH).content.decode()
    assert url("look", sample) in shown
    assert "Send the report" not in shown, "nothing was looked at yet"
    rows = client.get(url("look", sample), **ENGLISH)
    assert rows.headers["Cache-Control"] == "no-store, private"
    assert "watermark" in rows.content.decode()
    written = written_rows(opened)
    for number in rows_drawn(len(written), seed=sample.seed, size=30)[:25]:
        assert f'<th scope="row" class="num">{number}</th>' in rows.content.decode()
        assert all(escape(cell) in rows.content.decode() for cell in written[number - 1])
    event = AuditEvent.objects.filter(action="received_sample.looked").latest("seq")
    assert (event.facts["first"], event.facts["last"]) == (1, 25)
    assert "Shown to you whole: 25 of 30" in client.get(url("sample", sample), **ENGLISH).content.decode()
    said = {"checked_on": timezone.localdate().isoformat(), "nothing": "on"}
    assert client.post(url("sample", sample), said | {"checked": 26}).status_code == 403
    assert client.post(url("sample", sample), said | {"checked": 25}).status_code == 302
    sample.refresh_from_db()
    assert (sample.outcome, sample.checked) == (SampleOutcome.NOTHING, 25)
    assert StoredFile.objects.get(purpose="received_sample").destroyed_at is not None
    assert client.get(url("look", sample)).status_code == 403


def test_what_is_found_is_a_finding_of_the_project(story, opened, people, client):
    sample = drawn(story, opened, people)
    with pytest.raises(Refused, match="result_sample_not_looked"):
        report(sample, people, checked=5)
    sample = looked(sample, people)
    with pytest.raises(Refused, match="sample_checked"):
        report(sample, people, checked=31)
    report(sample, people, deviations=LEFT_IN)
    ticket = Finding.objects.get()
    assert (ticket.source, ticket.origin_id, ticket.owner) == (
        FindingSource.RECEIVED,
        sample.pk,
        people.planner,
    )
    client.force_login(people.supervisor)
    page = client.get(reverse("findings:detail", args=[ticket.project_id, ticket.pk]), **ENGLISH)
    assert "What the recipient did" in page.content.decode()
    listed = client.get(reverse("findings:page", args=[ticket.project_id]), **ENGLISH).content.decode()
    assert "in the enclave" in listed


def test_only_who_had_it_drawn_looks_and_only_while_they_may(story, opened, people, client):
    sample = drawn(story, opened, people)
    for who in ("planner", "supervisor", "auditor", "management"):
        with pytest.raises(Refused):
            services.received_look(sample, page=1, by=getattr(people, who))
        client.force_login(getattr(people, who))
        assert client.get(url("look", sample)).status_code in (403, 404)
    release_end(opened, why="it is over", by=people.planner)
    with pytest.raises(Refused, match="release_ended"):
        services.received_look(read(sample, people), page=1, by=people.recipient)
    with pytest.raises(Refused, match="release_ended"):
        services.received_read(read(sample, people), by=people.recipient)


def test_the_rows_do_not_lie_ready_for_long(story, opened, people, client):
    sample = drawn(story, opened, people, size=5)
    assert "findings.receivedsample.content" in {one.code for one in holdings_of(story.project)}
    with pytest.raises(Refused, match="result_sample_kept"):
        services.received_read(sample, by=people.recipient)
    assert services.received_expire() == 0
    before = rows_of(sample)
    with time_machine.travel(timezone.now() + services.KEPT + timedelta(minutes=1)):
        with pytest.raises(Refused, match="result_sample_not_there"):
            services.received_look(sample, page=1, by=people.recipient)
        assert (services.received_expire(), services.received_expire()) == (1, 0)
        client.force_login(people.recipient)
        assert url("read", sample) in client.get(url("sample", sample)).content.decode()
        assert client.post(url("read", sample)).status_code == 302
        story.run_jobs()
        assert rows_of(read(sample, people)) == before
        assert looked(read(sample, people), people).looked == 5


def test_all_samples_together_show_no_more_than_the_enclave_view(story, opened, people):
    first = report(looked(drawn(story, opened, people, size=280), people), people)
    assert first.shown_rows == 280
    second = drawn(story, opened, people, size=280)
    assert (second.shown_rows, second.is_cut) == (MOST_ROWS - 280, True)
    second = looked(second, people)
    assert second.looked == MOST_ROWS - 280
    report(second, people)
    with pytest.raises(Refused, match="sample_all_shown"):
        sample_draw(opened, file=0, size=1, by=people.recipient)


def test_an_altered_result_is_shown_to_nobody(story, opened, people):
    sample = drawn(story, opened, people, size=5)
    (written,) = tables_of_run(Run.objects.get(pk=opened.run_id)).values()
    change(written.result, sha256="0" * 64)
    with pytest.raises(Refused, match="inspected_result_altered"):
        services.received_look(read(sample, people), page=1, by=people.recipient)


def test_a_job_that_breaks_off_leaves_nothing_drawn(story, opened, people):
    made = sample_draw(opened, file=0, size=5, by=people.recipient)
    (written,) = tables_of_run(Run.objects.get(pk=opened.run_id)).values()
    change(written.result, sha256="0" * 64)
    with pytest.raises(RuntimeError, match="inspected_result_altered"):
        story.run_jobs()
    made = read(made, people)
    assert (made.outcome, made.shown_rows) == (SampleOutcome.FAILED, 0)
    with pytest.raises(Refused, match="result_sample_not_there"):
        report(made, people, checked=1)
    assert rules.may_draw(people.recipient, opened).reason is None


@pytest.mark.parametrize("most", [1, 5, 12, 40])
def test_persons_are_shown_whole_within_the_limit(most):
    whose = [who for who in range(10) for _row in range(3)]
    content = ("row\n" + "".join(f"R{row}\n" for row in range(len(whose)))).encode()
    found = written_of(content, np.array(whose))(seed="00ff", asked=10, most_rows=most)
    assert found["population"] == 10
    assert len(found["rows"]) == (1 if most == 1 else min(30, most // 3 * 3))
    assert found["is_cut"] == (most < 30)
    assert [row[0] for row in found["rows"]] == sorted(row[0] for row in found["rows"])


def test_the_check_on_receipt_counts_from_the_day_on_which_it_was_opened(story, release, people, client):
    assert checks_in(story.project.pk) == {}, "whoever has not opened it has nothing to check yet"
    delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    day = timezone.localdate(Delivery.objects.get().verified_at)
    check = check_of(story)
    assert (check.fetched_on, check.due_on, check.last_on) == (day, day + ON_RECEIPT, None)
    (task,) = [one for one in tasks_of(people.recipient) if one.icon == "search"]
    assert (task.deadline.due, task.url) == (
        day + ON_RECEIPT, reverse("recipient_samples:page", args=[release.pk])
    )  # fmt: skip
    with time_machine.travel(timezone.now() + ON_RECEIPT + timedelta(days=1)):
        overdue = f"Check of samples overdue since {day + ON_RECEIPT}"
        client.force_login(people.supervisor)
        for page in (reverse("releases:page", args=[story.project.pk]), reverse("board:register")):
            assert overdue in client.get(page, **ENGLISH).content.decode()
    report(looked(drawn(story, release, people, size=5), people), people)
    assert (check_of(story).last_on, check_of(story).due_on) == (timezone.localdate(), None), "and no other"


def test_the_pages_ask_little(story, opened, people, client, django_assert_max_num_queries):
    sample = drawn(story, opened, people, size=5)
    client.force_login(people.recipient)
    for page in (
        reverse("recipient_samples:page", args=[opened.pk]),
        url("sample", sample),
        url("look", sample),
    ):
        with django_assert_max_num_queries(MOST_STATEMENTS):
            assert client.get(page).status_code == 200


def test_the_api_draws_and_has_the_same_read_again(story, opened, people, client):
    client.force_login(people.recipient)
    address = reverse("api:receive-samples", args=[opened.pk])
    made = client.post(address, {"file": 0, "size": 5}, content_type="application/json").json()
    assert (made["outcome"], made["inside"], made["persons"]) == ("reading", True, None)
    story.run_jobs()
    again = reverse("api:receive-sample-read", args=[opened.pk, made["id"]])
    assert client.post(again).status_code == 403, "they lie ready"
    one = reverse("api:receive-sample", args=[opened.pk, made["id"]])
    said = {"checked_on": timezone.localdate().isoformat(), "checked": 5, "deviations": []}
    assert client.post(one, said, content_type="application/json").status_code == 403, "nobody looked"
    looked(ReceivedSample.objects.select_related("release__project").get(), people)
    assert client.post(one, said, content_type="application/json").json()["outcome"] == "nothing"
