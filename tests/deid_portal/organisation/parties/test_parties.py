"""The register of organisations is kept on the record, searched, and read by those who answer for what leaves (T/ISC 0078 8.1)."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.governance.verdict import Refused
from deid_portal.organisation.parties.enums import PartyKind
from deid_portal.organisation.parties.models import Party, PartyAgreement
from deid_portal.organisation.parties.names import is_wrong, key_of
from deid_portal.organisation.parties.selectors import parties, party_named
from deid_portal.organisation.parties.services import party_change, party_end, party_register
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db
RIGHT, WRONG = "91110000000000000E", "911100000000000000"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def enter(people, /, **given):
    said = {"name": "City Hospital", "kind": PartyKind.RECIPIENT, "country": "CN", "by": people.planner}
    return party_register(**said | given)


def say(people, party, /, **given):
    said = {name: getattr(party, name) for name in ("name", "kind", "country", "code", "contact")}
    return party_change(party, **said | {"by": people.planner} | given)


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def wrong(act, *arguments, **more):
    with pytest.raises(ValidationError) as error:
        act(*arguments, **more)
    return set(error.value.message_dict)


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def sentence(action):
    event = AuditEvent.objects.filter(action=action).latest("seq")
    return sentence_for(
        action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
    )


def test_an_organisation_is_entered_on_the_record(people):
    made = enter(people, name=" City Hospital ", code=RIGHT.lower(), contact="Office of data")
    assert (made.name, made.code, made.contact, made.recorded_by) == (
        "City Hospital", RIGHT, "Office of data", people.planner,
    )  # fmt: skip
    assert sentence("party.registered") == (
        "Planner Person entered “City Hospital” in the register of organisations (Recipient of results)"
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "a\x07b"}, "name"),
        ({"contact": "a\x07b"}, "contact"),
        ({"country": "XX"}, "country"),
        ({"country": ""}, "country"),
        ({"code": WRONG}, "code"),
    ],
)
def test_what_is_not_whole_is_not_entered(people, given, field):
    assert wrong(enter, people, **given) == {field}
    assert not Party.objects.exists()
    assert not AuditEvent.objects.filter(action="party.registered").exists()


def test_a_number_is_checked_where_it_can_only_be_a_credit_code(people):
    assert not is_wrong(RIGHT, "CN")
    assert is_wrong(WRONG, "CN")
    assert not is_wrong(WRONG, "SG")
    assert not is_wrong("12345", "CN")
    assert enter(people, country="SG", code=WRONG).code == WRONG


@pytest.mark.parametrize(
    "name", ["CITY HOSPITAL", "City  Hospital ", "cityhospital", "Ｃｉｔｙ　Ｈｏｓｐｉｔａｌ"]
)
def test_a_name_stands_once_whatever_case_spaces_and_width(people, name):
    made = enter(people)
    assert wrong(enter, people, name=name) == {"name"}
    other = enter(people, name="Another")
    assert wrong(say, people, other, name=name) == {"name"}
    assert party_named(name) == made
    assert key_of("某医院（东区）") == key_of("某 医院 (东区)")
    with refused("UNIQUE"):
        put(Party, name=name, key=key_of(name), kind="partner", country="CN", recorded_by=people.planner)


def test_of_one_that_has_ended_the_name_is_free_again(people):
    made = enter(people)
    party_end(made, reason="merged", by=people.planner)
    assert party_named("city hospital") == made
    again = enter(people)
    assert party_named("city hospital") == again


def test_a_change_says_in_the_log_what_was_and_what_is(people):
    made = enter(people)
    changed = say(people, made, kind=PartyKind.PARTNER, contact="Office", by=people.administrator)
    assert (changed.kind, changed.contact, changed.recorded_by) == ("partner", "Office", people.planner)
    facts = AuditEvent.objects.get(action="party.changed").facts
    assert facts["party_changes"] == ["kind: recipient → partner", "contact: – → Office"]
    assert sentence("party.changed") == (
        "Administrator Person changed the entry of “City Hospital” in the register of organisations: What it is to us: Recipient of results "
        "→ Partner, Who answers there for personal information: – → Office"
    )
    assert code(say, people, changed) == "nothing_changed"
    assert say(people, changed, name="Town Hospital").key == "townhospital"


def test_it_is_ended_once_with_a_reason_and_stays_as_it_was(people):
    made = enter(people)
    assert code(party_end, made, reason=" ", by=people.planner) == "reason_needed"
    assert wrong(party_end, made, reason="a\x07", by=people.planner) == {"reason"}
    ended = party_end(made, reason="merged", by=people.administrator)
    assert (ended.ended_by, ended.end_reason, ended.in_force) == (people.administrator, "merged", False)
    assert (
        sentence("party.ended")
        == "Administrator Person ended “City Hospital” in the register of organisations (merged)"
    )
    assert code(party_end, made, reason="again", by=people.planner) == "party_ended"
    assert code(say, people, made, name="Other") == "party_ended"
    with refused("one that has ended stays as it was"):
        change(ended, name="Other")
    with refused("ended, never deleted"):
        delete(ended)


def test_only_planning_managers_and_administrators_keep_it(people):
    made = enter(people)
    enter(people, name="Second", by=people.administrator)
    others = (people.executor, people.supervisor, people.management, people.auditor)
    for person in (*others, people.assessor, people.recipient, people.superuser):
        assert code(enter, people, name="Third", by=person) == "not_the_keeper"
        assert code(say, people, made, name="Third", by=person) == "not_the_keeper"
        assert code(party_end, made, reason="a", by=person) == "not_the_keeper"
    assert Party.objects.filter(ended_at=None).count() == 2


def test_who_reads_it_sees_its_card_and_nobody_else_does(people):
    made = enter(people)
    addresses = [reverse("organisation:parties"), reverse("organisation:party", args=[made.pk])]
    page = reverse("organisation:page")
    for person in (
        people.planner,
        people.administrator,
        people.management,
        people.supervisor,
        people.auditor,
    ):
        client = client_of(person)
        assert [client.get(one).status_code for one in addresses] == [200, 200]
        assert addresses[0] in client.get(page).content.decode()
    for person in (people.executor, people.assessor):
        client = client_of(person)
        assert [client.get(one).status_code for one in addresses] == [403, 403]
        assert addresses[0] not in client.get(page).content.decode()


def test_it_is_found_by_kind_state_name_number_and_contact(people):
    first = enter(people, code=RIGHT)
    second = enter(people, name="某医院（东区）", kind=PartyKind.OWN, contact="Office of data")
    third = party_end(enter(people, name="Zoo"), reason="closed", by=people.planner)
    assert list(parties(wanted="CITY hosp")) == list(parties(wanted="0000000e")) == [first]
    assert (
        list(parties(kind="own"))
        == list(parties(wanted="某 医院(东"))
        == list(parties(wanted="OFFICE"))
        == [second]
    )
    assert list(parties(state="ended")) == [third]
    assert set(parties(state="in_force")) == {first, second}
    assert list(parties())[-1] == third
    assert not parties(wanted="nobody").exists()
    client = client_of(people.auditor)
    address = reverse("organisation:parties")
    assert "City Hospital" in client.get(address, {"q": "city", "kind": "recipient"}).content.decode()
    assert "No organisation matches" in client.get(address, {"q": "nobody"}).content.decode()


def test_on_the_pages_it_is_entered_changed_and_ended(people):
    client = client_of(people.planner)
    add = reverse("organisation:party_add")
    sent = {"name": "City Hospital", "kind": "recipient", "country": "CN", "code": WRONG}
    answer = client.post(add, sent)
    assert answer.status_code == 422
    assert "This is no unified social credit code" in answer.content.decode()
    made = client.post(add, sent | {"code": RIGHT})
    party = Party.objects.get()
    assert made.url == reverse("organisation:party", args=[party.pk])
    alter = reverse("organisation:party_change", args=[party.pk])
    assert RIGHT in client.get(alter).content.decode()
    same = client.post(alter, sent | {"code": RIGHT})
    assert (same.status_code, "Nothing was changed." in same.content.decode()) == (422, True)
    assert client.post(alter, sent | {"code": "", "contact": "Office"}).status_code == 302
    end = reverse("organisation:party_end", args=[party.pk])
    assert client.post(end, {"reason": ""}).status_code == 422
    assert client.post(end, {"reason": "merged"}).status_code == 302
    page = client_of(people.auditor).get(made.url).content.decode()
    changed = "number: 91110000000000000E → –, Who answers there for personal information: – → Office"
    for said in ("Office", "merged", "No agreement names it.", changed):
        assert said in page
    assert client.get(alter).status_code == 403


def test_programs_do_the_same(people):
    client = client_of(people.planner)

    def post(name, body, *arguments):
        return client.post(reverse(f"api:{name}", args=arguments), body, content_type="application/json")

    body = {"name": "City Hospital", "kind": "recipient", "country": "CN"}
    made = post("parties", body)
    assert made.status_code == 201
    party = made.json()
    assert (party["name"], party["agreements"], party["hidden_agreements"]) == ("City Hospital", [], 0)
    assert party["copies"] == {"fetched": 0, "destroyed": 0, "overdue": 0, "all_destroyed": None}
    assert set(post("parties", body).json()["errors"]) == {"name"}
    assert set(post("parties", body | {"kind": "friend", "name": "B"}).json()) == {"kind"}
    assert set(post("party-change", body, party["id"]).json()) == {"code", "contact"}, (
        "nothing is emptied unsaid"
    )
    body |= {"code": "", "contact": ""}
    changed = post("party-change", body | {"contact": "Office"}, party["id"])
    assert (changed.status_code, changed.json()["contact"]) == (200, "Office")
    assert post("party-change", body | {"contact": "Office"}, party["id"]).json()["code"] == "nothing_changed"
    ended = post("party-end", {"reason": "merged"}, party["id"])
    assert (ended.status_code, ended.json()["end_reason"]) == (200, "merged")
    read = client_of(people.auditor)
    listed = read.get(reverse("api:parties"), {"q": "city", "state": "ended"}).json()
    assert [one["id"] for one in listed["results"]] == [party["id"]]
    assert read.get(reverse("api:parties"), {"state": "gone"}).status_code == 400
    assert read.get(reverse("api:party", args=[party["id"]])).json()["ended_at"]


def test_the_database_keeps_whose_an_agreement_is(people):
    made = enter(people)
    ended = party_end(enter(people, name="Gone"), reason="closed", by=people.planner)
    with refused("no agreement is made with an organisation that has ended"):
        put(PartyAgreement, party=ended)
    assert not PartyAgreement.objects.filter(party=made).exists()
