"""Whose rows a table holds: asked where persons repeat, decided with a reason, part of what is reviewed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.identification import selectors
from projects.identification.persons import services as persons
from projects.identification.persons.selectors import candidates_of
from projects.identification.providers import verdicts_complete
from projects.identification.services import Given, verdicts_give
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run

from .conftest import ROLES, ROWS, make_table

KEY = ("身份证号",)
PERSONS = ROWS - ROWS // 4


@pytest.fixture
def repeated():
    """The table in which the first quarter of the persons comes twice, once more in other rows."""
    table = make_table()
    lines = table.content.decode().split("\n")
    chance = random.Random(5)
    for place, row in enumerate(chance.sample(range(ROWS // 2, ROWS), ROWS // 4)):
        cells, whose = lines[row + 1].split(","), lines[place + 1].split(",")
        cells[1:4] = whose[1:4]
        lines[row + 1] = ",".join(cells)
    return replace(table, content="\n".join(lines).encode())


@pytest.fixture
def judged(upload, scan, repeated, people):
    """Scanned, with a verdict about every column, so that only the question is left."""
    upload(repeated)
    round_ = scan()
    reason = "as the data dictionary and the scan say, for the purpose"
    verdicts_give(
        round_, [Given(column, role, "", reason) for column, role in ROLES.items()], by=people.executor
    )
    return round_


def asked(project) -> list[str]:
    return [str(text) for text in verdicts_complete(project)]


def decide(round_, columns, people, reason="one number is one patient, as the register says"):
    return persons.person_key_decide(round_, columns, reason=reason, by=people.executor)


def test_the_scan_counts_persons_who_have_several_rows_and_the_stage_waits_for_the_answer(judged):
    best = candidates_of(judged)[0]
    assert (best.columns, best.counted.rows, best.counted.persons) == (KEY, ROWS, PERSONS)
    assert best.counted.histogram == ((1, 1, ROWS // 2), (2, 2, ROWS // 4))
    assert len(asked(judged.project)) == 1
    assert KEY[0] in asked(judged.project)[0]


def test_an_answer_settles_it_is_stated_and_changes_what_is_reviewed(judged, people):
    before = selectors.verdicts_hash(judged.project)
    key = decide(judged, KEY, people)
    assert asked(judged.project) == []
    after = selectors.verdicts_hash(judged.project)
    assert before != after
    assert selectors.person_key_of(judged.dataset.table) == KEY
    event = AuditEvent.objects.get(action="identification.rows_of_persons")
    assert event.facts["persons"] == PERSONS
    assert str(key.pk) in event.rows["identification.personkey"]["digests"]
    decide(judged, (), people, reason="the register gives a new number at every visit")
    assert selectors.verdicts_hash(judged.project) not in (before, after)
    assert selectors.person_key_of(judged.dataset.table) == ()


@pytest.mark.parametrize(
    ("columns", "reason", "why"),
    [
        ((), "no", "long_key_reason_needed"),
        (("科室",), "departments are persons, surely", "not_counted"),
        (KEY, "", "no_key_reason"),
        (("none",), "as it is", "no_such_column"),
    ],
)
def test_an_answer_that_cannot_stand_is_refused(judged, people, columns, reason, why):
    with pytest.raises(Refused) as refused:
        decide(judged, columns, people, reason)
    assert refused.value.verdict.code == why


def test_a_further_key_can_be_chosen_once_its_rows_were_counted(judged, people):
    columns = ("患者姓名", "性别")
    persons.count_start(judged, columns, by=people.executor)
    job = job_run(latest_job(judged.project, persons.COUNT, judged.pk).pk)
    assert job.status == "succeeded", job.error_text
    counted = next(one.counted for one in candidates_of(judged) if one.columns == columns)
    assert counted.rows == ROWS
    assert decide(judged, counted.columns, people).counted == counted.as_json()


def test_without_a_sign_one_row_is_one_person_is_offered_and_not_taken(scanned, client, people):
    assert selectors.person_key_of(scanned.dataset.table) is None
    assert len(asked(scanned.project)) == 1  # the verdicts
    client.force_login(people.executor)
    url = reverse("identification:persons", args=[scanned.project_id])
    assert client.get(url).status_code == 200
    answer = client.post(url, {"round": scanned.pk, "key": "rows", "reason": "a visit each"})
    assert answer.status_code == 302
    assert selectors.person_key_of(scanned.dataset.table) == ()


def test_page_and_endpoint_say_what_was_counted_and_decided(judged, client, people):
    client.force_login(people.executor)
    url = reverse("identification:persons", args=[judged.project_id])
    said = f"{ROWS}行属于{PERSONS}个人"
    assert said in client.get(url).content.decode()
    assert client.post(url, {"round": judged.pk, "key": "rows", "reason": "no"}).status_code == 422
    api = reverse("api:identification-persons", args=[judged.project_id])
    body = {"round": str(judged.pk), "columns": list(KEY), "reason": "one number is one patient"}
    state = client.put(api, body, content_type="application/json").json()
    assert state["decision"]["columns"] == list(KEY)
    assert state["asked"] == ""
    assert client.get(api).json() == state
    report = client.get(reverse("identification:report", args=[judged.project_id]))
    assert said in report.content.decode()
