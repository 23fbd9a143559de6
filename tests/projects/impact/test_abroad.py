"""Data go to a recipient abroad only once a concluded assessment names the place and what permits the transfer (PIPL 38 to 40, 55)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.countries import country_choices, country_name, is_abroad
from projects.core.evidence import evidence_state
from projects.core.models import Project
from projects.core.services import member_add, member_end
from projects.impact.abroad import countries_unassessed
from projects.impact.content import content_read
from projects.impact.presentation import answer_rows
from projects.impact.services import impact_decide, impact_lay
from projects.intrusion.invitations.rules import may_go_to
from projects.releases.agreements.changes.rules import may_approve_change
from projects.releases.agreements.changes.selectors import asks_of
from projects.releases.agreements.changes.services import change_decide, terms_accept
from projects.releases.agreements.terms import terms_hash, terms_of
from projects.releases.agreements.views import agreement_or_change
from projects.releases.enums import TermsChanged
from projects.releases.models import Agreement, RecipientChange
from projects.releases.rules import may_receive
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end
from projects.workflow import Evidence, Role, State
from tests.projects.impact.test_impact import ANSWERS
from tests.projects.releases import stories
from tests.projects.releases.agreements.changes.test_changes import record, scan, terms
from tests.projects.rows import agree, put
from tests.projects.rows import change as change_row

pytestmark = pytest.mark.django_db
ABROAD = {"transfer": "standard_contract", "country": "SG", "reference": "SC-1"}
PROHIBITIONS = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")


def assess(project: Any, people: Any, *, accept: bool = True, **said: Any) -> Any:
    laid = impact_lay(project, content=content_read(ANSWERS | said), by=people.executor)
    return impact_decide(laid, accept=accept, reason="as said", by=people.supervisor)


def missing(project: Any) -> str:
    with translation.override("en"):
        return " ".join(map(str, evidence_state(project, Evidence.RELEASE_READY).missing))


@pytest.fixture
def approved(people):
    return stories.reach(people, State.APPROVED).project


NAMES = "A concluded impact assessment that names Singapore"


def test_the_release_waits_until_an_assessment_names_the_place(approved, people, client):
    record(approved, people, people.recipient, terms(country="CN"))
    assert "names" not in missing(approved)
    record(approved, people, people.recipient, terms(country="SG"))
    assert NAMES in missing(approved)
    client.force_login(people.planner)
    page = reverse("impact:page", args=[approved.pk])
    waits = "By their agreements there are recipients in: Singapore. No release is made until"
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert waits in shown
    assert "No rule of the organisation" not in shown
    assess(approved, people)
    assert NAMES in missing(approved), "it says that all recipients are in the country"
    assess(approved, people, **ABROAD | {"country": "JP"})
    assert NAMES in missing(approved), "it is about another country"
    assess(approved, people, **ABROAD | {"country": "JP, SG"})
    assert NAMES not in missing(approved)
    assert waits not in client.get(page, headers={"accept-language": "en"}).content.decode()
    assess(approved, people, accept=False, **ABROAD)
    assert NAMES in missing(approved), "what was decided last counts"
    assert countries_unassessed(approved) == ["SG"]
    event = AuditEvent.objects.filter(action="agreement.recorded").latest("seq")
    assert event.facts["country"] == "SG"


def test_what_stood_for_others_or_another_way_of_sharing_no_longer_holds(approved, people):
    record(approved, people, people.recipient, terms(country="SG"))
    assess(approved, people, **ABROAD)
    assert NAMES not in missing(approved)
    second = member_add(approved, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    assert countries_unassessed(approved) == ["SG"], "it is about other recipients"
    member_end(second, by=people.planner)
    assert countries_unassessed(approved) == []
    change_row(approved, sharing_type="enclave")
    approved.refresh_from_db()
    assert countries_unassessed(approved) == ["SG"], "it is about another way of sharing"


def test_a_list_of_tests_asks_about_the_places_of_all_at_once(approved, people, django_assert_num_queries):
    assess(approved, people, **ABROAD)
    others = [put(Project, created_by=people.planner) for _number in range(3)]
    places = [
        (approved, "SG"),
        (approved, "JP"),
        (approved, None),
        *((one, "SG") for one in others),
        (others[0], "CN"),
    ]
    with django_assert_num_queries(2):
        codes = [one.code for one in may_go_to(places)]
    no = "impact_tester_abroad"
    assert codes == ["", no, "", no, no, no, ""]


def test_an_agreement_that_binds_nobody_now_asks_for_nothing(approved, people):
    record(approved, people, people.recipient, terms(country="SG"))
    assert countries_unassessed(approved) == ["SG"]
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert countries_unassessed(approved) == [], "its term is over"
    assert countries_unassessed(approved) == ["SG"]
    member_end(approved.memberships.get(user=people.recipient), by=people.planner)
    assert countries_unassessed(approved) == [], "nobody receives by it"


def test_a_change_from_before_the_country_was_asked_for_is_proposed_anew(people):
    project = stories.released(people).project
    held = Agreement.objects.get(recipient=people.recipient, ended_at=None)
    said = terms_of(held).model_dump() | {"country": "SG", "recipient": people.recipient}
    change = agreement_or_change(project, said | dict.fromkeys(PROHIBITIONS, True), scan(), by=people.planner)
    assert may_approve_change(people.management, change)
    change.terms = {name: value for name, value in change.terms.items() if name != "country"}
    assert may_approve_change(people.management, change).code == "change_without_country"


def receipt(project: Any, person: Any) -> str:
    return may_receive(person, current_release(project)).code


def test_who_moved_abroad_receives_nothing_until_the_transfer_was_assessed(people):
    project = stories.released(people).project
    person = people.recipient
    assert receipt(project, person) == ""
    held = Agreement.objects.get(recipient=person, ended_at=None)
    said = terms_of(held).model_dump() | {"country": "SG"}
    compared = {name: said[name] for name in ("purpose", "valid_until", "check_months", "country")}
    assert asks_of(project, person, **compared) == [TermsChanged.COUNTRY]
    made = agreement_or_change(
        project, said | {"recipient": person} | dict.fromkeys(PROHIBITIONS, True), scan(), by=people.planner
    )
    assert isinstance(made, RecipientChange), "senior management decides where the data go"
    assert receipt(project, person) == "", "nothing is altered before that"


def test_a_change_that_was_approved_still_waits_for_the_assessment(people, client):
    project = stories.released(people).project
    person = people.recipient
    held = Agreement.objects.get(recipient=person, ended_at=None)
    said = terms_of(held).model_dump() | {"country": "SG"}
    change = agreement_or_change(
        project, said | {"recipient": person} | dict.fromkeys(PROHIBITIONS, True), scan(), by=people.planner
    )
    client.force_login(people.management)
    page = client.get(
        reverse("releases:recipient_change", args=[project.pk, change.pk]), headers={"accept-language": "en"}
    ).content.decode()
    assert "A recipient in another country or region" in page
    assert "Singapore" in page
    assert "China" in page
    change_decide(change, approve=True, reason="so", seen_hash=change.content_hash, by=people.management)
    now = Agreement.objects.get(recipient=person, ended_at=None)
    assert now.country == "SG"
    terms_accept(now, confirmed=True, by=person)
    assert receipt(project, person) == "impact_not_abroad"
    assess(project, people, **ABROAD)
    assert receipt(project, person) == ""
    client.force_login(people.planner)
    for address in (reverse("releases:page", args=[project.pk]), reverse("board:register")):
        assert "Singapore" in client.get(address, headers={"accept-language": "en"}).content.decode()
    assert client.get(reverse("api:agreements", args=[project.pk])).json()[0]["country"] == "SG"


def test_an_agreement_from_before_states_no_country_and_keeps_the_hash_of_its_terms(approved, people):
    made = record(approved, people, people.recipient, terms())
    with_country = terms_hash(made)
    made.country = None
    assert "country" not in terms_of(made).model_dump(exclude_none=True)
    assert terms_hash(made) != with_country
    assert not is_abroad(None)
    assert made.place == ""


def test_a_new_release_asks_an_agreement_from_before_for_the_place(approved, people):
    agree(approved, people.recipient, accepted=True, recorded_by=people.planner)
    assert "A new agreement with Recipient Person that states the country or region" in missing(approved)
    assert "in force" not in missing(approved), "it binds all the same"


def test_what_is_out_asks_an_agreement_from_before_for_nothing(people):
    project = stories.released(people).project
    agreement_end(Agreement.objects.get(recipient=people.recipient), why="anew", by=people.planner)
    assert missing(project) == "A signed agreement in force with Recipient Person"
    change_row(project, state=State.APPROVED)
    agree(project, people.recipient, accepted=True, recorded_by=people.planner)
    change_row(project, state=State.MONITORING)
    assert missing(project) == ""


@pytest.mark.parametrize("country", ["", "XX", "Japan", "sg "])
def test_a_country_is_one_that_there_is(approved, people, client, country):
    client.force_login(people.planner)
    today = timezone.localdate()
    sent = {
        "recipient": "recipient", "organisation": "School", "purpose": "A study.", "signed_by": "Dean",
        "signed_on": today.isoformat(), "valid_until": (today + timedelta(days=9)).isoformat(), "country": country,
        **dict.fromkeys(PROHIBITIONS, True),
    }  # fmt: skip
    answer = client.post(reverse("api:agreements", args=[approved.pk]), sent)
    assert answer.status_code == 400
    assert "country" in answer.content.decode()
    assert not Agreement.objects.exists()


def test_the_places_have_names_in_both_languages():
    for language, names in {
        "zh-hans": {"CN": "中国", "HK": "中国香港", "MO": "中国澳门", "TW": "中国台湾", "SG": "新加坡"},
        "en": {"CN": "China", "HK": "Hong Kong, China", "TW": "Taiwan, China", "SG": "Singapore"},
    }.items():
        with translation.override(language):
            shown = dict(country_choices())
            assert {code: shown[code] for code in names} == names
            assert next(iter(shown)) == "CN"
            assert all(name.strip() == name and name for name in shown.values())
            if language == "zh-hans":
                assert [name for name in shown.values() if name.isascii()] == []
            assert country_name("SG") == names["SG"]


def test_an_assessment_shows_the_places_by_name_and_words_of_before_as_they_are():
    with translation.override("en"):
        coded = content_read(ANSWERS | ABROAD | {"country": "SG,HK"})
        assert coded.countries == ["SG", "HK"]
        assert ("Countries and regions", "Singapore; Hong Kong, China") in answer_rows(coded)
        words = coded.model_copy(update={"country": "Japan"})
        assert words.countries == []
        assert ("Countries and regions", "Japan") in answer_rows(words)
