"""The organisation's own clauses of the agreement: two persons, versions, page, API, and the text that is printed."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from approvals.governance.verdict import Refused
from deid_portal.organisation.agreements.clauses import (
    LONGEST,
    LONGEST_MATTER,
    MOST_CLAUSES,
    clauses_decide,
    clauses_now,
    clauses_propose,
)
from deid_portal.organisation.agreements.shipped import shipped
from deid_portal.organisation.models import AgreementClauses
from projects.core.tasks_registry import tasks_of
from projects.releases.agreements.clauses import Clause, clauses_in_force

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
CLAUSE = Clause("检查", "Inspection", "提供方可以检查。", "The provider may inspect.")
PAGE = "/organisation/agreement/"


def put(people, *clauses):
    version = clauses_propose(clauses, reason="ours", by=people.planner)
    return clauses_decide(version, accept=True, reason="agreed", by=people.administrator)


def test_until_two_persons_have_decided_there_are_none(people):
    version = clauses_propose([CLAUSE], reason="ours", by=people.planner)
    assert clauses_in_force().of == ()
    assert PAGE in [task.url for task in tasks_of(people.administrator)]
    for who in ("planner", "executor", "supervisor", "management", "auditor"):
        with pytest.raises(Refused):
            clauses_decide(version, accept=True, reason="mine", by=getattr(people, who))
    clauses_decide(version, accept=True, reason="agreed", by=people.administrator)
    now = clauses_in_force()
    assert (now.version, now.hash, now.of) == (1, version.content_hash, (CLAUSE,))


def test_a_later_version_replaces_the_one_before(people):
    put(people, CLAUSE)
    with pytest.raises(Refused) as refused:
        put(people, CLAUSE)
    assert refused.value.verdict.code == "nothing_changed"
    put(people)
    assert clauses_now().of == ()
    assert list(AgreementClauses.objects.values_list("number", "status")) == [
        (2, "in_force"),
        (1, "replaced"),
    ]


@pytest.mark.parametrize(
    "clauses",
    [
        [Clause("", "Inspection", "可以检查。", "May inspect.")],
        [Clause("检查", "Inspection", "可以检查。", " ")],
        [Clause("检查", "x" * (LONGEST_MATTER + 1), "可以检查。", "May inspect.")],
        [Clause("检查", "Inspection", "检" * (LONGEST + 1), "May inspect.")],
        [CLAUSE] * (MOST_CLAUSES + 1),
    ],
)
def test_what_is_not_whole_is_refused(people, clauses):
    with pytest.raises(ValidationError):
        clauses_propose(clauses, reason="ours", by=people.planner)


def test_a_clause_is_read_in_the_language_of_the_reader():
    for language, said in (
        ("zh-hans", ("检查", "提供方可以检查。")),
        ("en", ("Inspection", "The provider may inspect.")),
    ):
        with translation.override(language):
            assert (CLAUSE.matter, CLAUSE.text) == said


def test_the_drafts_are_whole_in_both_languages():
    for one in shipped():
        assert all(one.as_json().values())
        assert one.zh != one.en
        assert one.matter_zh != one.matter_en


def test_the_drafts_are_proposed_changed_and_given_up(people, client):
    client.force_login(people.planner)
    shown = client.get(PAGE, headers=ENGLISH)
    assert "own part alone" in shown.content.decode()
    form = shown.context["form"]
    assert "off" not in form.fields
    sent = {name: form[name].value() for name in form.fields if form[name].value()}
    assert client.post(PAGE, sent).status_code == 422, "a reason is asked for"
    assert client.post(PAGE, sent | {"reason": "ours"}).status_code == 302
    waiting = AgreementClauses.objects.get()
    assert [Clause(**one) for one in waiting.clauses] == list(shipped())
    decide = reverse("organisation:clauses_decide", args=[waiting.pk])
    assert client.post(decide, {"decision": "accept", "reason": "mine"}).status_code == 403
    client.force_login(people.administrator)
    assert client.post(decide, {"decision": "accept", "reason": "agreed"}).status_code == 302
    half = {"zh-0": "提供方可以检查。", "matter_zh-0": "检查", "reason": "shorter"}
    assert "Clause 1 needs" in client.post(PAGE, half, headers=ENGLISH).content.decode()
    assert AgreementClauses.objects.count() == 1
    client.post(PAGE, sent | {"off": "on", "reason": "no more"})
    assert AgreementClauses.objects.get(number=2).clauses == []
    assert "no clauses of the organisation" in client.get(PAGE, headers=ENGLISH).content.decode()


def test_through_the_api(people, client):
    address = reverse("api:organisation-clauses")
    client.force_login(people.planner)
    made = client.post(
        address, {"clauses": [CLAUSE.as_json()], "reason": "ours"}, content_type="application/json"
    ).json()
    assert (made["status"], made["clauses"]) == ("proposed", [CLAUSE.as_json()])
    bad = {"clauses": [CLAUSE.as_json() | {"en": ""}], "reason": "ours"}
    assert client.post(address, bad, content_type="application/json").status_code == 400
    client.force_login(people.administrator)
    decide = reverse("api:organisation-clauses-decide", args=[made["id"]])
    answer = client.post(decide, {"accept": True, "reason": "so"}, content_type="application/json")
    assert answer.json()["status"] == "in_force"
