"""Agreements and the register of organisations: whose each is, who has ended, and what an organisation holds (T/ISC 0078 8.1 b)."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.parties.enums import PartyKind
from deid_portal.organisation.parties.models import PartyAgreement
from deid_portal.organisation.parties.selectors import dealings_of
from deid_portal.organisation.parties.services import party_change, party_end, party_register
from projects.core.services import member_add
from projects.objective.models import Objective
from projects.objective.targets.risk import risk_defaults
from projects.releases.agreements.changes.services import terms_accept
from projects.releases.agreements.terms import terms_hash
from projects.releases.deliveries.copies.rules import may_state
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import Agreement, CopyStatement, RecipientChange
from projects.releases.providers import release_ready
from projects.releases.selectors import agreements_of, current_release
from projects.releases.services import agreement_end
from projects.workflow import Role, State
from tests.projects.releases import stories
from tests.projects.releases.agreements.changes.test_changes import (
    SCAN,
    decide,
    in_force,
    propose,
    record,
    terms,
)
from tests.projects.rows import change, put, refused

pytestmark = pytest.mark.django_db


def START(people):
    """Released, and fetched by its recipient."""
    story = stories.released(people)
    story.fetch()
    return story


@pytest.fixture
def fetched(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def enter(people, name, /, **given):
    return party_register(
        **{"name": name, "kind": PartyKind.RECIPIENT, "country": "CN", "by": people.planner} | given
    )


def party_of(agreement):
    return agreements_of(agreement.project).get(pk=agreement.pk).party


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def within(project):
    """The target says that the data stay within the organisation."""
    objective = Objective.objects.get(project=project)
    risk = (objective.risk or risk_defaults(project.sharing_type).model_dump(mode="json")) | {
        "circulation": "internal"
    }
    change(objective, risk=risk)
    return type(project).objects.get(pk=project.pk)


def test_data_that_stay_within_go_only_to_what_the_register_has_as_our_own(approved, people):
    project = approved.project
    record(project, people, people.recipient, terms(organisation="School"))
    assert release_ready(project) == []
    project = within(project)
    enter(people, "School")
    ours = enter(people, "School of ours", kind=PartyKind.OWN)
    (missing,) = release_ready(project)
    assert "does not have “School” as our own" in missing
    for name in ("School", "Nobody", ""):
        with pytest.raises(Refused, match="organisation_not_our_own"):
            record(project, people, people.recipient, terms(organisation=name))
    page = reverse("releases:agreement", args=[project.pk])
    client = client_of(people.planner)
    sent = terms(organisation="School").model_dump(mode="json") | {
        "recipient": people.recipient.pk, "prohibits_reidentification": "on", "prohibits_linkage": "on",
        "prohibits_onward_sharing": "on", "file": SimpleUploadedFile("signed.pdf", SCAN),
    }  # fmt: skip
    answer = client.post(page, sent)
    assert answer.status_code == 422
    assert "as our own" in answer.content.decode()
    record(project, people, people.recipient, terms(organisation="school of ours"))
    assert release_ready(project) == []
    party_end(ours, reason="closed", by=people.planner)
    with pytest.raises(Refused, match="no_agreement_with_party"):
        record(project, people, people.recipient, terms(organisation="School of ours"))


def test_a_new_agreement_becomes_that_of_who_it_names(approved, people):
    school = enter(people, "School")
    made = record(approved.project, people, people.recipient, terms(organisation="  SCHOOL "))
    assert party_of(made) == school.pk
    assert made.organisation == "  SCHOOL ", "it stays as it was signed"
    assert AuditEvent.objects.filter(action="agreement.recorded").latest("seq").facts["party"] == "School"
    other = record(approved.project, people, people.recipient, terms(organisation="Another school"))
    assert party_of(other) is None
    assert "party" not in AuditEvent.objects.filter(action="agreement.recorded").latest("seq").facts


def test_agreements_of_before_become_its_own_and_stay_as_they_were(released, people):
    agreement = Agreement.objects.get()
    before = terms_hash(agreement)
    party = enter(people, "Unknown so far")
    assert party_of(agreement) is None
    said = {"kind": party.kind, "country": "CN", "code": "", "contact": ""}
    party_change(party, name=agreement.organisation.upper(), **said, by=people.planner)
    assert party_of(agreement) == party.pk
    assert AuditEvent.objects.get(action="party.changed").facts["linked"] == 1
    party.refresh_from_db()
    party_change(party, name="Renamed", **said, by=people.planner)
    assert party_of(agreement) == party.pk, "it is the same one under another name"
    agreement.refresh_from_db()
    assert terms_hash(agreement) == before


def test_with_who_has_ended_no_agreement_is_made(approved, people):
    school = party_end(enter(people, "School"), reason="merged", by=people.planner)
    before = Agreement.objects.count()
    with pytest.raises(Refused) as refusal:
        record(approved.project, people, people.recipient, terms(organisation="school"))
    assert refusal.value.verdict.code == "no_agreement_with_party"
    page = reverse("releases:agreement", args=[approved.project.pk])
    sent = terms().model_dump(mode="json") | {
        "recipient": people.recipient.pk, "prohibits_reidentification": "on", "prohibits_linkage": "on",
        "prohibits_onward_sharing": "on", "file": SimpleUploadedFile("signed.pdf", SCAN),
    }  # fmt: skip
    answer = client_of(people.planner).post(page, sent)
    assert answer.status_code == 422
    assert "“School” has ended in the register of organisations" in answer.content.decode()
    assert "(merged)" in answer.content.decode()
    assert Agreement.objects.count() == before
    # It came back under the same name.
    again = enter(people, "School")
    assert party_of(record(approved.project, people, people.recipient, terms())) == again.pk
    assert not PartyAgreement.objects.filter(party=school).exists()


def test_a_change_with_who_has_ended_is_neither_proposed_nor_approved(released, people):
    project = released.project
    school = enter(people, "School")
    member_add(project, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    change = propose(project, people, people.outsider, terms())
    party_end(school, reason="merged", by=people.planner)
    for act in (
        lambda: decide(change, people.management),
        lambda: propose(project, people, people.outsider, terms(purpose="Another.")),
    ):
        with pytest.raises(Refused, match="no_agreement_with_party"):
            act()
    shown = client_of(people.management).get(
        reverse("releases:recipient_change", args=[project.pk, change.pk])
    )
    assert "has ended in the register" in shown.content.decode()
    assert decide(change, people.management, approve=False).outcome == "refused"
    again = enter(people, "School")
    decide(propose(project, people, people.outsider, terms()), people.management)
    assert party_of(RecipientChange.objects.get(outcome="approved").agreement) == again.pk
    assert AuditEvent.objects.get(action="recipient_change.approved").facts["party"] == "School"


def test_the_form_offers_the_names_in_force(approved, people):
    page = reverse("releases:agreement", args=[approved.project.pk])
    client = client_of(people.planner)
    assert "<datalist" not in client.get(page).content.decode()
    enter(people, "School")
    party_end(enter(people, "Gone"), reason="closed", by=people.planner)
    shown = client.get(page).content.decode()
    assert '<datalist id="organisations">' in shown
    assert '<option value="School">' in shown
    assert 'list="organisations"' in shown
    assert "Gone" not in shown


def test_the_release_leads_to_the_organisation_who_may_read_it(released, people):
    party = enter(people, Agreement.objects.get().organisation)
    page = reverse("releases:page", args=[released.project.pk])
    address = reverse("organisation:party", args=[party.pk])
    assert address in client_of(people.supervisor).get(page).content.decode()
    assert address not in client_of(people.executor).get(page).content.decode()
    listed = client_of(people.executor).get(reverse("api:agreements", args=[released.project.pk])).json()
    assert [one["party"] for one in listed] == [str(party.pk)]


def test_an_organisation_has_agreements_releases_and_copies(fetched, people):
    agreement = Agreement.objects.get()
    party = enter(people, agreement.organisation)
    release = current_release(fetched.project)
    dealings = dealings_of(party, people.planner)
    assert (dealings.agreements, dealings.hidden_agreements) == ([agreement], 0)
    assert (dealings.releases, dealings.hidden_releases) == ([release], 0)
    assert (dealings.copy_count, dealings.destroyed, dealings.all_destroyed) == (1, 0, False)
    address = reverse("organisation:party", args=[party.pk])
    client = client_of(people.planner)
    shown = client.get(address).content.decode()
    assert fetched.project.title in shown
    assert "Copies are held" in shown
    agreement_end(agreement, why="over", by=people.planner)
    dealings = dealings_of(party, people.planner)
    assert dealings.releases == []
    assert dealings.missing == 1
    assert "Copies are left whose time is over" in client.get(address).content.decode()
    copy_state(release, how="Disk wiped", by=people.recipient)
    assert dealings_of(party, people.planner).all_destroyed is True
    assert "All stated to be destroyed" in client.get(address).content.decode()
    read = client.get(reverse("api:party", args=[party.pk])).json()
    assert read["copies"] == {"fetched": 1, "destroyed": 1, "overdue": 0, "all_destroyed": True}
    assert [one["id"] for one in read["agreements"]] == [str(agreement.pk)]


def test_a_copy_counts_for_whose_agreement_it_was_fetched_under(fetched, people):
    first = enter(people, Agreement.objects.get().organisation)
    said = in_force(people).model_copy(update={"organisation": "School"})
    school = enter(people, "School")
    record(fetched.project, people, people.recipient, said)
    assert dealings_of(first, people.planner).copy_count == 1
    assert dealings_of(school, people.planner).copy_count == 0
    assert dealings_of(first, people.planner).missing == 1, (
        "who has left may keep nothing by another's agreement"
    )
    assert dealings_of(school, people.planner).release_count == 1
    assert dealings_of(first, people.planner).release_count == 0


def test_a_copy_that_was_fetched_anew_is_held_until_that_is_stated_again(fetched, people):
    agreement, said = Agreement.objects.get(), in_force(people)
    party, release = enter(people, agreement.organisation), current_release(fetched.project)
    agreement_end(agreement, why="over", by=people.planner)
    copy_state(release, how="Disk wiped", by=people.recipient)
    assert dealings_of(party, people.planner).all_destroyed is True
    with refused("one statement"):
        put(CopyStatement, release=release, recipient=people.recipient, how="again")
    decide(propose(fetched.project, people, people.recipient, said), people.management)
    renewed = Agreement.objects.get(ended_at=None)
    terms_accept(renewed, confirmed=True, by=people.recipient)
    fetched.fetch()
    dealings = dealings_of(party, people.planner)
    assert (dealings.copy_count, dealings.destroyed, dealings.all_destroyed) == (1, 0, False)
    assert may_state(people.recipient, release).code == "copy_may_be_kept"
    agreement_end(Agreement.objects.get(ended_at=None), why="over", by=people.planner)
    assert dealings_of(party, people.planner).missing == 1
    copy_state(release, how="Disk wiped again", by=people.recipient)
    assert dealings_of(party, people.planner).all_destroyed is True
    assert may_state(people.recipient, release).code == "copy_stated"


def test_a_name_under_which_it_signed_before_is_still_its_own(approved, people):
    school = enter(people, "School")
    record(approved.project, people, people.recipient, terms(organisation="School"))
    said = {name: getattr(school, name) for name in ("kind", "country", "code", "contact")}
    school = party_change(school, name="Academy", **said, by=people.planner)
    again = record(approved.project, people, people.recipient, terms(organisation="SCHOOL"))
    assert party_of(again) == school.pk
    party_end(school, reason="closed", by=people.planner)
    with pytest.raises(Refused, match="no_agreement_with_party"):
        record(approved.project, people, people.recipient, terms(organisation="School"))
    other = enter(people, "School")
    assert (
        party_of(record(approved.project, people, people.recipient, terms(organisation="School"))) == other.pk
    )


def test_of_projects_that_the_reader_does_not_see_it_says_how_many(fetched, people):
    party = enter(people, Agreement.objects.get().organisation)
    address = reverse("organisation:party", args=[party.pk])
    for person in (people.outsider, people.administrator):
        dealings = dealings_of(party, person)
        assert (dealings.agreements, dealings.hidden_agreements) == ([], 1)
        assert (dealings.releases, dealings.hidden_releases, dealings.copy_count) == ([], 1, 1)
        shown = client_of(person).get(address).content.decode()
        assert fetched.project.title not in shown
        assert "1 agreement of a project that you do not see." in shown
        assert "1 release of a project that you do not see." in shown
        read = client_of(person).get(reverse("api:party", args=[party.pk])).json()
        assert (read["agreements"], read["releases"]) == ([], [])
        assert (read["hidden_agreements"], read["hidden_releases"]) == (1, 1)


def test_its_page_asks_the_database_few_times(fetched, people):
    party = enter(people, Agreement.objects.get().organisation)
    client = client_of(people.planner)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(reverse("organisation:party", args=[party.pk])).status_code == 200
    assert len(asked) <= 22, len(asked)
