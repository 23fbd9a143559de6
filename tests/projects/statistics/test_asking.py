"""In an enclave the recipient asks for a table of the released rows: protected, looked at inside, reviewed, signed, and then fetched."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.enums import SharingType
from projects.core.tasks_registry import tasks_of
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.releases.services import release_end
from projects.statistics import services
from projects.statistics.definition import Definition
from projects.statistics.models import Tabulation
from projects.statistics.selectors import report_of
from projects.statistics.services import table_ask, table_fetch, table_look
from projects.workflow import State
from tests.fixtures import PASSWORD
from tests.projects.processing.conftest import SmallStory, make_csv

from .conftest import signed

pytestmark = pytest.mark.django_db
BY_DIAGNOSIS = {"kind": "persons", "spans": [{"column": "诊断"}]}
ENGLISH = {"accept-language": "en"}


class EnclaveStory(SmallStory):
    sharing = SharingType.ENCLAVE


def in_an_enclave(people):
    story = EnclaveStory(vars(people), "Visits inside", make_csv(), file_name="visits.csv", documents=False)
    story.reach(State.MONITORING)
    return story


START = in_an_enclave


def ask(making, *, run=True, by=None, **more):
    said = {
        "title": "By diagnosis",
        "purpose": "for the report",
        "source": "",
        "definition": Definition.model_validate(BY_DIAGNOSIS),
    }
    table = table_ask(making.release, **said | more, by=by or making.people.recipient)
    if run:
        making.story.run_jobs()
        table.refresh_from_db()
    return table


def released_rows(making):
    (written,) = tables_of_run(making.run).values()
    with result_open(written) as stream:
        return list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))


def refused(call):
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.verdict.code


def test_from_the_question_on_the_page_to_the_table_that_leaves(making, client):
    people, release = making.people, making.release
    client.force_login(people.recipient)
    page = reverse("statistics_receive:page", args=[release.pk])
    assert "Ask for a table" in client.get(page, headers=ENGLISH).content.decode()
    said = {"title": "By diagnosis", "purpose": "for the report", "kind": "persons", "span1": "诊断"}
    requested = reverse("statistics_receive:ask", args=[release.pk])
    assert client.post(requested, said | {"purpose": ""}).status_code == 422
    assert client.post(requested, said).status_code == 302
    making.story.run_jobs()
    table = Tabulation.objects.get()
    assert table.status == "protected"
    # Counted are the released rows, by the persons of the source.
    report = {tuple(one["labels"]): one for one in report_of(table)["cells"]}
    assert {labels[0] for labels in report} >= {row["诊断"] for row in released_rows(making)}
    look = reverse("statistics_receive:look", args=[release.pk, table.pk])
    looked = client.get(look, headers=ENGLISH).content.decode()
    assert "By diagnosis" in looked
    assert "T/ISC 0078-2025 10.5" in looked
    assert "what empty cells tell" in looked
    fetch = reverse("statistics_receive:download", args=[release.pk, table.pk])
    assert client.get(fetch).status_code == 404, "nothing leaves before it is reviewed and signed"
    detail = reverse("statistics:detail", args=[release.project_id, table.pk])
    assert detail in [task.url for task in tasks_of(people.supervisor)]
    decide = reverse("statistics:decide", args=[release.project_id, table.pk])
    for who in (people.supervisor, people.management):
        client.force_login(who)
        assert "for the report" in client.get(detail).content.decode()
        decision = {"decision": "accept", "reason": "small and plain", "secret": PASSWORD}
        assert client.post(decide, decision).status_code == 302
    client.force_login(people.recipient)
    fetched = b"".join(client.get(fetch).streaming_content)
    assert fetched == table_fetch(Tabulation.objects.get(), by=people.supervisor)
    actions = AuditEvent.objects.filter(project_id=release.project_id).values_list("action", flat=True)
    assert {
        "tabulation.asked", "tabulation.looked_at", "tabulation.reviewed", "tabulation.signed", "tabulation.fetched"
    } <= {*actions}  # fmt: skip


def test_the_api_asks_the_same(making, client):
    client.force_login(making.people.recipient)
    address = reverse("api:receive-statistics", args=[making.release.pk])
    said = {"title": "By diagnosis", "purpose": "for the report", "definition": BY_DIAGNOSIS}
    made = client.post(address, said, content_type="application/json")
    assert (made.status_code, made.json()["status"]) == (201, "running")
    making.story.run_jobs()
    (one,) = client.get(reverse("api:receive-statistics-requested", args=[making.release.pk])).json()
    assert (one["status"], one["purpose"]) == ("protected", "for the report")
    assert client.get(address).json() == []


def test_few_persons_are_hidden_from_who_requested(making):
    table = ask(
        making,
        definition=Definition.model_validate(
            {**BY_DIAGNOSIS, "spans": [{"column": "诊断"}, {"column": "出生日期"}]}
        ),
    )
    hidden = [one for one in report_of(table)["cells"] if one["hidden"]]
    assert hidden, "fewer than 50 persons somewhere"
    shown = table_look(table, release=making.release, by=making.people.recipient)
    assert len([row for row in shown if row[-1] == "x"]) == len(hidden)


def test_only_who_requested_has_it(making):
    table = ask(making)
    for who in ("executor", "supervisor", "management", "planner", "auditor", "outsider"):
        assert refused(
            lambda who=who: table_look(table, release=making.release, by=getattr(making.people, who))
        )
    table = signed(making, table)
    assert table_fetch(table, by=making.people.recipient, release=making.release)
    assert refused(lambda: table_fetch(table, by=making.people.outsider, release=making.release))


def test_what_may_not_be_requested(making):
    people = making.people
    assert refused(lambda: ask(making, purpose=" ")) == "reason_needed"
    for column in ("姓名", "nothing"):
        other = Definition.model_validate({**BY_DIAGNOSIS, "spans": [{"column": column}]})
        assert refused(lambda other=other: ask(making, definition=other)) == "no_such_column"
    for who in ("executor", "supervisor", "planner", "outsider"):
        assert refused(lambda who=who: ask(making, by=getattr(people, who))) == "not_a_recipient"
    for _number in range(3):
        ask(making, run=False)
    assert refused(lambda: ask(making)) == "tables_wait"


def test_a_second_table_is_read_together_with_the_first(making):
    first = signed(making, ask(making))
    second = ask(making, title="By diagnosis again")
    assert [one["number"] for one in report_of(second)["together"]["tables"]] == [first.number]


def test_nothing_is_signed_once_the_release_has_ended(making):
    table = ask(making)
    release_end(making.release, why="it is over", by=making.people.planner)
    decide = lambda: services.table_decide(table, accept=True, reason="late", by=making.people.supervisor)  # noqa: E731
    assert refused(decide) == "table_other_data"
