"""Which organisation carries a project out and answers for it is named by the planning manager and stays known (T/ISC 0078 8.1 a)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.governance.verdict import Refused
from deid_portal.organisation.parties.enums import PartyKind
from deid_portal.organisation.parties.executing.models import ExecutingParty
from deid_portal.organisation.parties.executing.services import executing_name
from deid_portal.organisation.parties.models import Party
from deid_portal.organisation.parties.services import party_end, party_register
from projects.core.executing.source import executing_facts, executing_of
from projects.objective.plan import sentences
from projects.objective.plan.prefill import plan_prefill
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def enter(people, name, kind=PartyKind.PROCESSOR):
    return party_register(name=name, kind=kind, country="CN", by=people.planner)


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def page(person, project):
    return client_of(person).get(reverse("core:members", args=[project.pk])).content.decode()


def test_until_one_is_named_it_is_our_own_where_that_is_clear(people, project):
    assert executing_of(project).party_id is None
    own = enter(people, "Our hospital", PartyKind.OWN)
    found = executing_of(project)
    assert (found.party_id, found.name, found.is_set) == (own.pk, "Our hospital", False)
    enter(people, "Our institute", PartyKind.OWN)
    assert executing_of(project).party_id is None


def test_the_planning_manager_names_it_and_who_answered_before_stays_known(people, project):
    first, second = enter(people, "A laboratory"), enter(people, "A data centre")
    executing_name(project, first, by=people.planner)
    assert code(executing_name, project, first, by=people.planner) == "executing_party_named"
    executing_name(project, second, by=people.planner)
    found = executing_of(project)
    assert (found.name, found.is_set, found.has_ended) == ("A data centre", True, False)
    rows = ExecutingParty.objects.order_by("named_at")
    assert [(one.party, one.ended_at is None) for one in rows] == [(first, False), (second, True)]
    event = AuditEvent.objects.filter(action="project.executing_party").latest("seq")
    said = sentence_for(event.action, actor="Planner", subject=event.subject, facts=event.facts)
    assert said == f"Planner named “A data centre” as the organisation that carries “{event.subject}” out"
    assert (event.facts["party_before"], event.project_id) == ("A laboratory", project.pk)


def test_nobody_else_names_it_and_no_organisation_that_has_ended_is_named(people, project):
    party = enter(people, "A laboratory")
    others = (people.executor, people.supervisor, people.management, people.auditor, people.administrator)
    for person in (*others, people.outsider, people.recipient, people.superuser):
        with pytest.raises(Refused):
            executing_name(project, party, by=person)
    party_end(party, reason="closed", by=people.planner)
    assert code(executing_name, project, party, by=people.planner) == "executing_party_ended"
    assert not ExecutingParty.objects.exists()


def test_one_that_ends_in_the_register_afterwards_is_shown_as_ended(people, project):
    party = enter(people, "A laboratory")
    executing_name(project, party, by=people.planner)
    party_end(party, reason="closed", by=people.planner)
    assert executing_of(project).has_ended
    assert "Has ended in the register" in page(people.planner, project)


def test_the_database_keeps_it(people, project):
    party = enter(people, "A laboratory")
    row = executing_name(project, party, by=people.planner)
    with refused("stays as it was named"):
        change(row, party=enter(people, "Another"))
    with refused("ended, never deleted"):
        delete(row)
    change(row, ended_at=timezone.now())
    with refused("stays as it was named"):
        change(row, ended_at=None)
    party_end(party, reason="closed", by=people.planner)
    with refused("carries no project out"):
        put(ExecutingParty, project=project, party=party, named_by=people.planner)


def test_documents_and_the_plan_say_it_only_where_it_was_named(people, project):
    party = enter(people, "Our hospital", PartyKind.OWN)
    assert executing_facts(project) == []
    assert "Our hospital" not in plan_prefill(project, None)["team"]
    before = timezone.now()
    executing_name(project, party, by=people.planner)
    then = timezone.now()
    assert executing_facts(project) == [("Who carries the processing out", "Our hospital")]
    assert executing_facts(project, before) == []
    text = plan_prefill(project, None)["team"]
    assert text.startswith("The processing is carried out by: Our hospital.")
    with translation.override("zh-hans"):
        assert sentences.as_read(text).startswith("处理由以下组织执行：Our hospital。")
    # A plan that was submitted says who it was then.
    executing_name(project, enter(people, "A laboratory"), by=people.planner)
    assert executing_facts(project, then) == [("Who carries the processing out", "Our hospital")]
    party_end(Party.objects.get(name="A laboratory"), reason="closed", by=people.planner)
    assert executing_facts(project) == [
        ("Who carries the processing out", "A laboratory (ended in the register)")
    ]


def test_on_the_page_of_the_team_it_is_named_and_others_read_it(people, project):
    assert "Who carries the processing out" not in page(people.planner, project)
    party = enter(people, "A laboratory")
    address = reverse("organisation:executing", args=[project.pk])
    assert address in page(people.planner, project)
    client = client_of(people.planner)
    sent = client.post(address, {"party": party.pk})
    assert sent.url == reverse("core:members", args=[project.pk])
    assert executing_of(project).party_id == party.pk
    client.post(address, {"party": ""})
    assert ExecutingParty.objects.count() == 1
    read = page(people.auditor, project)
    assert "A laboratory" in read
    assert address not in read


def test_programs_do_the_same(people, project):
    party = enter(people, "A laboratory")
    address = reverse("api:executing-party", args=[project.pk])
    client = client_of(people.planner)
    nobody = {"party": None, "name": "", "is_set": False, "has_ended": False}
    assert client.get(address).json() == nobody
    named = client.post(address, {"party": str(party.pk)}, content_type="application/json")
    expected = {"party": str(party.pk), "name": "A laboratory", "is_set": True, "has_ended": False}
    assert (named.status_code, named.json()) == (200, expected)
    assert client_of(people.auditor).get(address).json() == expected
    assert client_of(people.outsider).get(address).status_code == 404
    assert client.post(address, {"party": "x"}, content_type="application/json").status_code == 400
