"""Outsiders who are invited to an intruder test: who invites whom, what they see, what they claim, and that there is nothing else for them."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.triggers import lift, registered
from approvals.governance.verdict import Refused
from deid_portal.access import REACHES
from deid_portal.accounts.models import User
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create
from deid_portal.accounts.tokens import token_create
from projects.core.drafts.models import FormDraft
from projects.core.services import member_add, member_end, project_move
from projects.impact.abroad import unassessed_for_testers
from projects.impact.content import content_read
from projects.impact.services import impact_decide, impact_lay
from projects.intrusion import selectors, services
from projects.intrusion.documents import report_context, report_subject
from projects.intrusion.enums import Certainty
from projects.intrusion.invitations.presentation import views_text
from projects.intrusion.invitations.rules import may_look
from projects.intrusion.invitations.selectors import claims_by
from projects.intrusion.invitations.services import (
    invitation_end,
    invitation_fetch,
    invitation_look,
    invitation_make,
    invited_claim,
)
from projects.intrusion.models import IntruderClaim, Invitation
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.workflow import Move, Role, State
from projects.workflow.posts import Post
from tests.access.addresses import addresses
from tests.projects.impact.test_abroad import ABROAD, assess
from tests.projects.impact.test_impact import ANSWERS
from tests.projects.rows import change, unkept
from tests.projects.verification import stories

from ..test_intrusion import opened, waiting_ids

START = stories.measurable
ENGLISH = {"headers": {"accept-language": "en"}}
SAID = {
    "record": 3,
    "reference": "envelope 3",
    "grounds": "the town and the day of the visit",
    "certainty": "likely",
}


@pytest.fixture
def story(story_at):
    return story_at(State.VERIFICATION, stories.measurable)


@pytest.fixture
def test(story, people):
    return opened(story, people)


def tomorrow():
    return timezone.localdate() + timedelta(days=1)


def invited(test, people, **given):
    said = {
        "tester": people.tester,
        "country": "CN",
        "task": "Whom do you know?",
        "until": tomorrow(),
        "by": people.supervisor,
    }
    return invitation_make(test, **said | given)


def another_tester(name="second_tester"):
    return user_create(
        username=name, password=None, full_name=f"{name} Person", post=Post.TESTER, access_until=tomorrow(), by=None
    )  # fmt: skip


def url(name, invitation):
    return reverse(f"tester:{name}", args=[invitation.pk])


def test_from_the_invitation_to_the_report(story, test, people, client):
    project = story.project
    client.force_login(people.supervisor)
    page = reverse("intrusion:invite", args=[project.pk, test.pk])
    sent = {
        "tester": people.tester.pk, "country": "CN", "task": "Whom do you know?", "until": tomorrow().isoformat()
    }  # fmt: skip
    assert client.post(page, sent | {"task": " "}).status_code == 422
    late = client.post(page, sent | {"until": "2100-01-01"}, **ENGLISH)
    assert late.status_code == 422
    assert "not after the last day of the tester" in late.content.decode()
    assert client.post(page, sent).status_code == 302
    invitation = Invitation.objects.get()
    assert (invitation.gets_file, invitation.shows_verdicts) == (False, False)

    client.force_login(people.tester)
    listed = client.get(reverse("tester:list"), **ENGLISH).content.decode()
    assert url("case", invitation) in listed
    case = client.get(url("case", invitation), **ENGLISH).content.decode()
    for said in ("Whom do you know?", test.scope, test.auxiliary):
        assert said in case
    # Of the project there is its number alone: no title, nobody's name, no way to search.
    for hidden in (project.title, people.supervisor.full_name, people.executor.full_name, 'role="search"'):
        assert hidden not in case + listed
    rows = client.get(url("look", invitation), **ENGLISH).content.decode()
    assert f"This viewing is recorded: {people.tester}" in rows
    assert f'data-mark="{people.tester}' in rows
    assert client.get(url("look", invitation) + "?page=2").status_code == 200
    assert client.get(url("look", invitation) + "?table=another").status_code == 404
    assert client.get(url("file", invitation)).status_code == 403

    assert client.post(url("case", invitation), SAID | {"certainty": "surely"}).status_code == 422
    assert client.post(url("case", invitation), SAID | {"record": 601}).status_code == 422
    assert client.post(url("case", invitation), SAID).status_code == 302
    again = client.post(url("case", invitation), SAID, **ENGLISH)
    assert again.status_code == 422
    assert "There is a claim about this record already." in again.content.decode()
    (claim,) = claims_by(invitation)
    assert (claim.made_by, claim.record, claim.certainty) == (people.tester, 3, Certainty.LIKELY)

    # Who conducts it sees looks and claims by person.
    client.force_login(people.supervisor)
    shown = client.get(reverse("intrusion:test", args=[project.pk, test.pk]), **ENGLISH).content.decode()
    assert "looked 2 times" in shown
    assert SAID["grounds"] in shown

    services.claims_check(test, claims=waiting_ids(test), right=True, by=people.executor)
    client.force_login(people.tester)
    checked = client.get(url("case", invitation), **ENGLISH).content.decode()
    assert "Checked" in checked
    assert "Right: that is the person" not in checked

    services.claims_record(test, records=[9], reference="envelope 9", by=people.supervisor)
    services.claims_check(test, claims=waiting_ids(test), right=False, by=people.executor)
    services.intruder_test_close(test, attempts=10, conclusion="One.", by=people.supervisor)
    test.refresh_from_db()
    with override("en"):
        context = report_context(test)
    assert ("Country or region of the invited outsiders", f"{people.tester} · China") in context["rows"]
    assert ("Claims of invited outsiders", "1 claims, of which 1 right") in context["rows"]
    assert ("Claims of others", "1 claims, of which 0 right") in context["rows"]
    assert "Likely, by an invited outsider" in context["claims"][0][1]
    # It is over with the test.
    assert client.get(url("case", invitation)).status_code == 403
    assert url("case", invitation) not in client.get(reverse("tester:list")).content.decode()
    events = AuditEvent.objects.filter(action__startswith="intrusion.").order_by("seq")
    assert [one.action.removeprefix("intrusion.") for one in events] == [
        "opened", "invited", "looked", "looked", "claimed", "checked", "claimed", "checked", "concluded",
    ]  # fmt: skip
    looked = events.filter(action="intrusion.looked").first()
    assert (looked.facts["first"], looked.facts["last"], looked.actor) == (1, 25, str(people.tester))
    assert not any("envelope" in str(one.facts) for one in events)


def test_there_is_nothing_else_for_a_tester(story, test, people, client):
    """By session and by token; a new address is closed until it is named."""
    invited(test, people)
    project = story.project
    client.force_login(people.tester)
    assert client.get("/").headers["Location"] == reverse("tester:list")
    closed = [
        reverse("core:projects"), reverse("core:notifications"), reverse("search:page"), reverse("core:help_tour"),
        reverse("organisation:page"), reverse("intrusion:page", args=[project.pk]), reverse("recipient:list"),
        reverse("accounts:deputies"), reverse("api:docs"),
    ]  # fmt: skip
    assert [client.get(one).status_code for one in closed] == [404] * len(closed)
    _token, key = token_create(people.tester, name="a program")
    client.logout()
    by_token = {"headers": {"authorization": f"Token {key}"}}
    assert client.get(reverse("api:tester-list"), **by_token).status_code == 200
    for name in ("api:project-list", "api:task-list", "api:receive", "api:schema"):
        assert client.get(reverse(name), **by_token).status_code == 404
    known = addresses()
    assert known.keys() >= REACHES
    frame = client.get("/account/sign-in/").content.decode()
    assert reverse("core:help_tour") not in frame


def test_the_file_is_handed_out_only_where_the_invitation_says_so(test, people, client):
    invitation = invited(test, people, gets_file=True)
    client.force_login(people.tester)
    answer = client.get(url("file", invitation))
    (written,) = tables_of_run(test.run).values()
    with result_open(written) as stream:
        content = stream.read()
    assert b"".join(answer.streaming_content) == content
    assert answer.headers["Content-Disposition"].endswith(f"{test.project.number}-N1.csv")
    event = AuditEvent.objects.get(action="intrusion.fetched")
    assert event.facts["sha256"] == written.result_sha256
    invitation.refresh_from_db()
    assert (invitation.views, invitation.fetches) == (0, 1)
    with override("en"):
        assert views_text(invitation) == "never looked, fetched once"


def test_whoever_is_promised_it_is_told_which_claims_are_right(test, people, client):
    invitation = invited(test, people, shows_verdicts=True)
    invited_claim(invitation, **SAID, by=people.tester)
    services.claims_check(test, claims=waiting_ids(test), right=True, by=people.executor)
    client.force_login(people.tester)
    assert "Right: that is the person" in client.get(url("case", invitation), **ENGLISH).content.decode()


def test_who_is_invited_by_whom(story, test, people):
    # The one who conducts the test, and nobody else.
    for other in (people.planner, people.executor, people.management, people.administrator):
        with pytest.raises(Refused):
            invited(test, people, by=other)
    for person in (people.assessor, people.recipient, people.executor):
        with pytest.raises(Refused, match="not_a_tester"):
            invited(test, people, tester=person)
    for day in (timezone.localdate() - timedelta(days=1), people.tester.access_until + timedelta(days=1)):
        with pytest.raises(Refused, match="invitation_day"):
            invited(test, people, until=day)
    with pytest.raises(Refused, match="intruder_text_needed"):
        invited(test, people, task=" ")
    invited(test, people)
    with pytest.raises(Refused, match="tester_invited"):
        invited(test, people)
    # An executor under another account is none of the outside.
    second = another_tester()
    person_link(second, people.executor, reason="the same person", by=people.administrator)
    second.refresh_from_db()
    with pytest.raises(Refused, match="tester_works_here"):
        invited(test, people, tester=second)


def test_a_result_goes_to_a_tester_abroad_as_an_assessment_says(story, test, people, client):
    project = story.project
    for place in ("SG", "HK"):
        with pytest.raises(Refused, match="impact_tester_abroad"):
            invited(test, people, country=place)
    with pytest.raises(ValidationError):
        invited(test, people, country="XX")
    assess(project, people)
    with pytest.raises(Refused, match="impact_tester_abroad"):
        invited(test, people, country="SG")
    assess(project, people, **ABROAD)
    with pytest.raises(Refused, match="impact_tester_abroad"):
        invited(test, people, country="JP")
    invitation = invited(test, people, country="SG")
    event = AuditEvent.objects.get(action="intrusion.invited")
    assert event.facts["tester_country"] == "SG"
    client.force_login(people.supervisor)
    page = reverse("intrusion:test", args=[project.pk, test.pk])
    assert "Singapore" in client.get(page, **ENGLISH).content.decode()
    hashed = report_subject(test).hash
    client.force_login(people.tester)
    assert client.get(url("look", invitation)).status_code == 200
    # What was decided last counts, while it lasts: one that waits changes nothing, and nor does one more recipient.
    waiting = impact_lay(project, content=content_read(ANSWERS | ABROAD), by=people.executor)
    assert client.get(url("look", invitation)).status_code == 200
    assert unassessed_for_testers(project) == []
    impact_decide(waiting, accept=True, reason="as said", by=people.supervisor)
    added = member_add(project, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    assert client.get(url("look", invitation)).status_code == 200
    member_end(added, by=people.planner)
    with unkept():
        change(project, sharing_type="enclave")
        assert client.get(url("look", invitation)).status_code == 403, "it is about another way of sharing"
    assess(project, people, accept=False, **ABROAD)
    refused = client.get(url("look", invitation), **ENGLISH)
    assert refused.status_code == 403
    assert "names that country or region" in refused.content.decode()
    assert client.get(reverse("api:tester-file", args=[invitation.pk])).status_code == 403
    # They are told neither task nor scope, and that it is not open: why, as the supervisor is.
    why = "A result goes to a tester in Singapore once a concluded impact assessment names that country or region"
    own = client.get(reverse("tester:list"), **ENGLISH).content.decode()
    assert why in own
    assert "Not shown for now" in own
    assert "Open until" not in own
    assert url("case", invitation) not in own
    (listed,) = client.get(reverse("api:tester-list"), **ENGLISH).json()
    assert (listed["open"], listed["task"], listed["scope"], listed["auxiliary"]) == (False, "", "", "")
    assert listed["why_not"].startswith(why)
    client.force_login(people.supervisor)
    shown = client.get(page, **ENGLISH).content.decode()
    assert why in shown
    assert reverse("intrusion:invitation_end", args=[project.pk, test.pk, invitation.pk]) in shown
    (row,) = client.get(reverse("api:intrusion-invitations", args=[project.pk, test.pk]), **ENGLISH).json()
    assert (row["open"], row["why_not"]) == (False, listed["why_not"])
    client.force_login(people.planner)
    impact = client.get(reverse("impact:page", args=[project.pk]), **ENGLISH).content.decode()
    assert "By their invitations there are testers in: Singapore." in impact
    assert unassessed_for_testers(project) == ["SG"]
    with unkept():
        invitation_end(invitation, reason="enough", by=people.supervisor)
        assert unassessed_for_testers(project) == []
    # Nobody has stated where they are, of whom it was not asked.
    with unkept():
        lift(*(one for one in registered() if one.name == "invitation_stays_as_made"))
        change(invitation, country=None)
        assert may_look(people.tester, Invitation.objects.get())
        client.force_login(people.supervisor)
        assert "not stated" in client.get(page, **ENGLISH).content.decode()
        with override("en"):
            rows = report_context(test)["rows"]
        assert ("Country or region of the invited outsiders", f"{people.tester} · not stated") in rows
        assert report_subject(test).hash != hashed


def test_who_was_invited_gets_no_role_under_any_account(story, test, people):
    project = story.project
    with pytest.raises(Refused, match="tests_only"):
        member_add(project, user=people.tester, role=Role.EXECUTOR, by=people.planner)
    invited(test, people)
    staff = user_create(username="somebody", password=None, full_name="Somebody", post=Post.STAFF, by=None)
    person_link(staff, people.tester, reason="the same person", by=people.administrator)
    staff.refresh_from_db()
    with pytest.raises(Refused, match="tested_from_outside"):
        member_add(project, user=staff, role=Role.EXECUTOR, by=people.planner)


def test_who_turns_out_to_work_here_sees_nothing_any_more(test, people):
    invitation = invited(test, people)
    person_link(people.tester, people.executor, reason="the same person", by=people.administrator)
    people.tester.refresh_from_db()
    with pytest.raises(Refused, match="tester_works_here"):
        invitation_look(invitation, table="", page=1, by=people.tester)


def test_an_invitation_ends(story, test, people, client):
    invitation = invited(test, people)
    client.force_login(people.supervisor)
    page = reverse("intrusion:invitation_end", args=[story.project.pk, test.pk, invitation.pk])
    assert client.get(page).status_code == 200
    assert client.post(page, {"reason": " "}).status_code == 422
    assert client.post(page, {"reason": "they have seen enough"}).status_code == 302
    event = AuditEvent.objects.get(action="intrusion.invitation_ended")
    assert (event.reason, event.facts["tester"]) == ("they have seen enough", str(people.tester))
    assert client.post(page, {"reason": "again"}).status_code == 403
    invitation.refresh_from_db()
    for act in (
        lambda: invitation_look(invitation, table="", page=1, by=people.tester),
        lambda: invitation_fetch(invitation, table="", by=people.tester),
        lambda: invited_claim(invitation, **SAID, by=people.tester),
        lambda: invitation_end(invitation, reason="again", by=people.supervisor),
    ):
        with pytest.raises(Refused, match="invitation_over"):
            act()
    # They may be invited anew, and the paper names them once; where they are is part of what it is about.
    assert invited(test, people).is_in_force
    place = f"{people.tester} · China"
    with override("en"):
        assert ("Country or region of the invited outsiders", place) in report_context(test)["rows"]
    hashed = report_subject(test).hash
    invited(test, people, tester=another_tester())
    assert report_subject(test).hash != hashed


def test_the_day_and_the_state_of_the_project_end_it(story, test, people, client):
    invitation = invited(test, people)
    client.force_login(people.tester)
    assert client.get(url("look", invitation)).status_code == 200
    project_move(story.project, move=Move.SUSPEND, by=people.supervisor, reason="something happened")
    assert client.get(url("look", invitation)).status_code == 403
    project_move(story.project, move=Move.RESUME, by=people.supervisor, reason="it is solved")
    assert client.get(url("look", invitation)).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        client.force_login(people.tester)
        assert client.get(url("look", invitation)).status_code == 403


def test_testers_know_nothing_of_one_another(test, people, client):
    first, second = invited(test, people), another_tester()
    other = invited(test, people, tester=second)
    invited_claim(other, **SAID, by=second)
    client.force_login(people.tester)
    assert client.get(url("case", other)).status_code == 404
    assert client.get(reverse("api:tester-claims", args=[other.pk])).status_code == 404
    # Both may come to the same record; it is one person who is recognised.
    assert client.post(url("case", first), SAID).status_code == 302
    services.claims_check(test, claims=waiting_ids(test), right=True, by=people.executor)
    with pytest.raises(Refused, match="invitation_over"):
        invited_claim(first, **SAID | {"record": 4}, by=second)
    services.intruder_test_close(test, attempts=4, conclusion="One.", by=people.supervisor)
    test.refresh_from_db()
    rate = selectors.rate_of(test, selectors.claims_of(test))
    assert rate is not None
    assert rate.value == 0.25
    assert "envelope" not in client.get(reverse("tester:list")).content.decode()


def test_a_claim_waits_as_a_draft(test, people, client):
    invitation = invited(test, people)
    client.force_login(people.tester)
    assert (
        client.post(url("case", invitation), {"grounds": "half a thought", "then": "keep"}).status_code == 204
    )
    assert "half a thought" in client.get(url("case", invitation)).content.decode()
    assert FormDraft.objects.get().saved_by == people.tester
    assert not IntruderClaim.objects.filter(invitation=invitation).exists()


def test_an_altered_result_is_shown_to_nobody(test, people):
    invitation = invited(test, people, gets_file=True)
    (written,) = tables_of_run(test.run).values()
    change(written.result, sha256="0" * 64)
    invitation = Invitation.objects.get(pk=invitation.pk)
    for act in (invitation_fetch, lambda *a, **k: invitation_look(*a, page=1, **k)):
        with pytest.raises(Refused):
            act(invitation, table="", by=people.tester)
    assert not AuditEvent.objects.filter(action__in=("intrusion.looked", "intrusion.fetched")).exists()


def test_programs_do_the_same(story, test, people, client):
    client.force_login(people.supervisor)
    address = reverse("api:intrusion-invitations", args=[story.project.pk, test.pk])
    json = {"content_type": "application/json"}
    sent = {"tester": "tester", "country": "CN", "task": "Whom do you know?", "until": tomorrow().isoformat()}
    assert client.post(address, sent | {"tester": "executor"}, **json).status_code == 400
    assert client.post(address, sent | {"country": "XX"}, **json).status_code == 400
    abroad = client.post(address, sent | {"country": "SG"}, **json)
    assert (abroad.status_code, abroad.json()["code"]) == (403, "impact_tester_abroad")
    made = client.post(address, sent, **json)
    assert made.status_code == 201
    client.force_login(people.tester)
    (listed,) = client.get(reverse("api:tester-list")).json()
    assert (listed["id"], listed["open"], listed["scope"]) == (made.json()["id"], True, test.scope)
    assert (made.json()["open"], made.json()["why_not"]) == (True, "")
    claims = reverse("api:tester-claims", args=[listed["id"]])
    assert client.post(claims, SAID, **json).status_code == 201
    assert client.post(claims, SAID, **json).status_code == 403
    services.claims_check(test, claims=waiting_ids(test), right=True, by=people.executor)
    (claim,) = client.get(claims).json()
    assert (claim["record"], claim["checked"], claim["right"]) == (3, True, None)
    client.force_login(people.supervisor)
    end = reverse("api:intrusion-invitation-end", args=[story.project.pk, test.pk, listed["id"]])
    assert client.post(end, {"reason": "enough"}, **json).json()["end_reason"] == "enough"
    (found,) = client.get(address).json()
    assert found["ended_by"] == people.supervisor.full_name
    client.force_login(people.tester)
    (listed,) = client.get(reverse("api:tester-list")).json()
    assert (listed["open"], listed["scope"], listed["why_not"]) == (False, "", "")


def test_programs_of_a_tester_read_which_columns_there_are_and_fetch_what_the_page_hands_out(
    story, test, people, client
):
    invitation = invited(test, people)
    _token, key = token_create(people.tester, name="a program")
    by_token = {"headers": {"authorization": f"Token {key}"}}
    (written,) = tables_of_run(test.run).values()
    detail, file = (reverse(f"api:tester-{name}", args=[invitation.pk]) for name in ("detail", "file"))
    shown = client.get(detail, **by_token).json()
    assert (shown["task"], shown["scope"], shown["gets_file"]) == (invitation.task, test.scope, False)
    columns = written.report["columns_out"]
    assert shown["tables"] == [{"name": "", "rows": written.result_rows, "columns": columns}]
    assert columns
    refused = client.get(file, **by_token)
    assert (refused.status_code, refused.json()["code"]) == (403, "invitation_without_file")
    invitation_end(invitation, reason="they get the file", by=people.supervisor)
    for address in (detail, file):
        assert client.get(address, **by_token).status_code == 403
    fetching = invited(test, people, gets_file=True)
    detail, file = (reverse(f"api:tester-{name}", args=[fetching.pk]) for name in ("detail", "file"))
    assert client.head(file, **by_token).status_code == 405
    assert client.get(f"{file}?table=other", **by_token).status_code == 404
    assert not AuditEvent.objects.filter(action="intrusion.fetched").exists()
    answer = client.get(file, **by_token)
    client.force_login(people.tester)
    page = client.get(reverse("tester:file", args=[fetching.pk]))
    assert b"".join(answer.streaming_content) == b"".join(page.streaming_content)
    fetching = Invitation.objects.get(pk=fetching.pk)
    assert (fetching.fetches, AuditEvent.objects.filter(action="intrusion.fetched").count()) == (2, 2)
    other = another_tester()
    client.force_login(other)
    for address in (detail, file):
        assert client.get(address).status_code == 404


def test_an_account_of_a_tester_has_a_last_day(people, client):
    client.force_login(people.administrator)
    new = {"username": "guest", "full_name": "Guest", "department": "", "email": "", "post": "tester"}
    page = reverse("accounts:account_create")
    refused = client.post(page, new | {"access_until": ""}, **ENGLISH)
    assert "An invited tester needs an end date." in refused.content.decode()
    assert not User.objects.filter(username="guest").exists()
    client.post(page, new | {"access_until": tomorrow().isoformat()})
    assert User.objects.get(username="guest").post == Post.TESTER
