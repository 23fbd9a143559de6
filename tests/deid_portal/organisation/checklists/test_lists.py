"""The review checklists of the organisation: two persons, versions by stage, pages and API."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from approvals.governance.verdict import Refused
from deid_portal.organisation.checklists.lists import (
    LONGEST,
    MOST_ITEMS,
    checklist_decide,
    checklist_now,
    checklist_propose,
)
from deid_portal.organisation.checklists.shipped import shipped
from deid_portal.organisation.models import ReviewChecklist
from projects.core.tasks_registry import tasks_of
from projects.monitoring.checklists.items import Item
from projects.workflow import Stage

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
ITEM = Item("已核对", "It was compared", "5.2.4", True)
PAGE = "/organisation/checklists/objective/"


def put(people, *items, stage=Stage.OBJECTIVE):
    version = checklist_propose(stage, items, reason="ours", by=people.planner)
    return checklist_decide(version, accept=True, reason="agreed", by=people.administrator)


def test_until_two_persons_have_decided_nothing_is_asked(people):
    version = checklist_propose(Stage.OBJECTIVE, [ITEM], reason="ours", by=people.planner)
    assert checklist_now(Stage.OBJECTIVE).items == ()
    assert reverse("organisation:checklist", args=["objective"]) in [
        task.url for task in tasks_of(people.administrator)
    ]
    for who in ("planner", "executor", "supervisor", "management", "auditor"):
        with pytest.raises(Refused):
            checklist_decide(version, accept=True, reason="mine", by=getattr(people, who))
    checklist_decide(version, accept=True, reason="agreed", by=people.administrator)
    now = checklist_now(Stage.OBJECTIVE)
    assert (now.version, now.hash, now.items) == (1, version.content_hash, (ITEM,))
    assert checklist_now(Stage.PROCESSING).items == ()


def test_each_stage_has_versions_of_its_own(people):
    put(people, ITEM)
    put(people, ITEM, stage=Stage.PROCESSING)
    with pytest.raises(Refused) as refused:
        put(people, ITEM)
    assert refused.value.verdict.code == "nothing_changed"
    put(people)
    found = ReviewChecklist.objects.values_list("stage", "number", "status")
    assert list(found) == [
        ("objective", 2, "in_force"),
        ("objective", 1, "replaced"),
        ("processing", 1, "in_force"),
    ]


@pytest.mark.parametrize(
    ("items", "stage"),
    [
        ([Item("", "It was", "5.1", True)], Stage.OBJECTIVE),
        ([Item("已", " ", "5.1", True)], Stage.OBJECTIVE),
        ([Item("已", "It was", "", True)], Stage.OBJECTIVE),
        ([Item("已", "x" * (LONGEST + 1), "5.1", True)], Stage.OBJECTIVE),
        ([ITEM] * (MOST_ITEMS + 1), Stage.OBJECTIVE),
        ([ITEM], Stage.RELEASE),
    ],
)
def test_what_is_not_whole_is_refused(people, items, stage):
    with pytest.raises(ValidationError):
        checklist_propose(stage, items, reason="ours", by=people.planner)


def test_the_shipped_list_is_proposed_as_it_is_changed_and_switched_off(people, client):
    client.force_login(people.planner)
    shown = client.get(PAGE, headers=ENGLISH)
    assert "ask for the standard's requirements alone" in shown.content.decode()
    form = shown.context["form"]
    assert "off" not in form.fields
    sent = {name: form[name].value() for name in form.fields if form[name].value()}
    assert client.post(PAGE, sent).status_code == 422, "a reason is asked for"
    assert client.post(PAGE, sent | {"reason": "ours"}).status_code == 302
    waiting = ReviewChecklist.objects.get()
    assert [Item(**one) for one in waiting.items] == list(shipped(Stage.OBJECTIVE))
    client.force_login(people.administrator)
    decide = reverse("organisation:checklist_decide", args=[waiting.pk])
    assert client.post(decide, {"decision": "accept", "reason": "agreed"}).status_code == 302
    assert "version 1, 6 items" in client.get("/organisation/checklists/", headers=ENGLISH).content.decode()
    client.post(PAGE, {"zh-0": "已核对", "en-0": "It was compared", "reason": "shorter"})
    assert ReviewChecklist.objects.count() == 1, "the clause is missing"
    half = {"zh-0": "已核对", "clause-0": "5.1", "reason": "shorter"}
    assert "Item 1 needs" in client.post(PAGE, half, headers=ENGLISH).content.decode()
    client.post(PAGE, sent | {"off": "on", "reason": "no more"})
    assert ReviewChecklist.objects.get(number=2).items == []
    assert "nothing is asked beside" in client.get(PAGE, headers=ENGLISH).content.decode()
    assert client.get("/organisation/checklists/release/").status_code == 404


def test_through_the_api(people, client):
    address = reverse("api:organisation-checklists")
    client.force_login(people.planner)
    sent = {"stage": "verification", "items": [ITEM.as_json()], "reason": "ours"}
    made = client.post(address, sent, content_type="application/json").json()
    assert (made["status"], made["items"]) == ("proposed", [ITEM.as_json()])
    bad = sent | {"stage": "release"}
    assert client.post(address, bad, content_type="application/json").status_code == 400
    client.force_login(people.administrator)
    decide = reverse("api:organisation-checklists-decide", args=[made["id"]])
    answer = client.post(decide, {"accept": True, "reason": "so"}, content_type="application/json")
    assert answer.json()["status"] == "in_force"
    assert [one["stage"] for one in client.get(address).json()] == ["verification"]
