"""The 13 questions in the portal: answers, ranking and choice stay as evidence (5.4.3)."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.tables.selectors import first_table
from projects.processing import wording
from projects.processing.advice.questions import answers_read, columns
from projects.processing.advice.selectors import current_advice
from projects.processing.advice.services import advice_record
from projects.processing.models import AdviceRecord
from techniques.advice import Answers, advise
from techniques.advice.scores import DIMENSIONS
from techniques.core.messages import EngineError
from tests.projects.processing.conftest import at_processing

START = at_processing

ANSWERS = {"dataset": {"quantify_risk": True}, "columns": {"姓名": {"data_type": "text", "deletable": True}}}


@pytest.fixture
def address(processing):
    return reverse("processing:advice", args=[processing.pk])


def test_the_record_is_what_the_engine_says(processing, people):
    record = advice_record(first_table(processing), answers=ANSWERS, by=people.executor)
    whole = {
        "dataset": {"quantify_risk": True},
        "columns": {"姓名": {"data_type": "text", "deletable": True, "role": "direct_identifier"}},
    }
    expected = advise(Answers.from_data(whole)).as_dict()
    assert record.content_hash == expected["sha256"]
    assert record.advice == expected["columns"]
    event = AuditEvent.objects.filter(action="advice.recorded").get()
    assert (event.subject_id, event.facts["columns"]) == (str(record.pk), 1)


def test_the_role_is_the_verdicts(processing, people):
    lying = {"columns": {"姓名": {"data_type": "text", "role": "other_attribute"}}}
    record = advice_record(first_table(processing), answers=lying, by=people.executor)
    assert record.answers["columns"]["姓名"]["role"] == "direct_identifier"
    keep = next(one for one in record.advice["姓名"] if one["technique"] == "as_is")
    assert not keep["advised"]


def test_the_same_answers_add_nothing(processing, people):
    first = advice_record(first_table(processing), answers=ANSWERS, by=people.executor)
    assert advice_record(first_table(processing), answers=ANSWERS, by=people.executor) == first
    changed = ANSWERS | {"dataset": {"quantify_risk": False}}
    assert advice_record(first_table(processing), answers=changed, by=people.executor).number == 2
    assert AdviceRecord.objects.count() == 2


def test_only_the_executor_answers(processing, people):
    for other in (people.planner, people.supervisor, people.management, people.auditor, people.superuser):
        with pytest.raises(Refused):
            advice_record(first_table(processing), answers=ANSWERS, by=other)


@pytest.mark.parametrize(
    "answers",
    [
        {"columns": {}},
        {"columns": {"姓名": {"data_type": "shape"}}},
        {"dataset": {"cost": "nothing"}, "columns": {"姓名": {"data_type": "text"}}},
        {"columns": {"姓名": {"data_type": "text", "hat": True}}},
    ],
)
def test_wrong_answers_name_their_place(processing, people, answers):
    with pytest.raises(EngineError) as error:
        advice_record(first_table(processing), answers=answers, by=people.executor)
    assert "path" in error.value.params
    assert not AdviceRecord.objects.exists()


def test_the_page_from_questions_to_advice(processing, people, client, address, saved):
    client.force_login(people.executor)
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    page = client.get(address)
    assert page.status_code == 200
    names = [column.name for column in page.context["columns"]]
    position = names.index("出生日期")
    form = {
        "d-quantify_risk": "yes",
        "d-cost": "medium",
        f"c{position}-data_type": "date",
        f"c{position}-order": "yes",
    }
    assert client.post(address, form).status_code == 302
    record = current_advice(first_table(processing))
    assert record.answers["dataset"]["quantify_risk"] is True
    assert record.answers["columns"]["出生日期"]["order"] is True
    assert record.answers["columns"]["出生日期"]["unique"] is None
    page = client.get(address)
    column = next(c for c in page.context["columns"] if c.name == "出生日期")
    scores = [one["score"] for one in column.advised]
    assert scores == sorted(scores, reverse=True)
    assert column.others
    assert all(one["against"] for one in column.others)
    # What the saved recipe does with the column is marked, advised or not.
    assert any(one["is_chosen"] for one in column.advised + column.others)
    text = page.content.decode()
    assert '<option value="yes" selected>' in text
    assert "not advised, and why" in text


def test_the_score_is_shown_with_its_dimensions_their_weights_and_the_answers(
    processing, people, client, address
):
    weights = {"security": 3.0, "timeliness": 0.0}
    answers = {**ANSWERS, "dataset": {**ANSWERS.get("dataset", {}), "weights": weights}}
    record = advice_record(first_table(processing), answers=answers, by=people.executor)
    client.force_login(people.executor)
    page = client.get(address, headers={"accept-language": "en"})
    name, found = next(iter(record.advice.items()))
    column = next(one for one in page.context["columns"] if one.name == name)
    kept = {wording.technique_name(one["technique"]): one for one in found}
    for shown in column.advised + column.others:
        one = kept[shown["name"]]
        scores = one["scores"]
        mean = (scores["availability"] + 3 * scores["security"] + scores["compliance"]) / 5
        assert [figure["value"] for figure in shown["figures"]] == pytest.approx(
            [scores[dimension] for dimension in DIMENSIONS], abs=0.001
        )
        assert shown["mean"] == pytest.approx(mean, abs=0.001)
        assert shown["mean"] + shown["answers"] == pytest.approx(one["score"])
    text = " ".join(page.content.decode().split())
    for label, weight in (("Availability", 1), ("Timeliness", 0), ("Security", 3), ("Compliance", 1)):
        assert f'{label} <span class="muted">weight {weight}</span>' in text
    said = client.get(reverse("api:processing-advice", args=[processing.pk])).json()[0]
    assert said["weights"] == {"availability": 1.0, "timeliness": 0.0, "security": 3.0, "compliance": 1.0}
    assert [one["mean"] for one in said["weighed"][name]] == [
        one["mean"] for one in column.advised + column.others
    ]


def test_readers_see_it_and_cannot_answer(processing, people, client, address):
    advice_record(first_table(processing), answers=ANSWERS, by=people.executor)
    client.force_login(people.auditor)
    page = client.get(address)
    assert page.status_code == 200
    assert " disabled" in page.content.decode()
    assert client.post(address, {}).status_code == 403


def test_places_stand_for_columns(processing):
    found = columns(first_table(processing), None)
    answers = answers_read(first_table(processing), {f"c{found[2].position}-order": "no"})
    assert answers["columns"][found[2].name]["order"] is False
    assert [column.name for column in found] == list(answers["columns"])


def test_the_api(processing, people, client):
    url = reverse("api:processing-advice", args=[processing.pk])
    client.force_login(people.executor)
    assert client.get(url).json() == []
    made = client.post(url, json.dumps(ANSWERS), content_type="application/json")
    assert made.status_code == 201
    assert client.get(url).json() == [made.json()]
    bad = client.post(
        url, json.dumps({"columns": {"姓名": {"data_type": "shape"}}}), content_type="application/json"
    )
    assert bad.status_code == 422
    assert bad.json()["code"]


def test_the_page_leads_to_the_scenes_of_use(client, processing, people, address):
    client.force_login(people.executor)
    assert reverse("processing:scenes", args=[processing.pk]) in client.get(address).content.decode()
