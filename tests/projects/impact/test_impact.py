"""The impact assessment: its contents by the law, two persons, what waits for it, and its paper."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Value
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from deid_portal.organisation.grading.policy import any_version
from projects.core.evidence import evidence_state
from projects.core.selectors import reads_along
from projects.core.services import member_add, member_end
from projects.impact import selectors
from projects.impact.content import content_read
from projects.impact.enums import Occasion, Outcome
from projects.impact.home import assessments_waiting
from projects.impact.models import ImpactAssessment
from projects.impact.presentation import occasion_texts
from projects.impact.providers import impact_pointer
from projects.impact.selectors import House
from projects.impact.services import impact_decide, impact_lay
from projects.objective.services import sharing_choose
from projects.releases.models import Agreement, Release, TermsAcceptance
from projects.releases.rules import may_receive
from projects.workflow import Evidence, Role, State
from tests.pages import sent_nowhere
from tests.projects.rows import account, change, member, put, unkept

pytestmark = pytest.mark.django_db
ANSWERS: dict[str, Any] = {
    "lawful": "A study of fees; nothing less than visits tells them.",
    "impact": "Whoever is found again is known to have been ill.",
    "level": "medium",
    "measures": "k of 5, an agreement, and an end of the delivery when it fails.",
    "automated": False,
    "basis": "duty",
    "separate_consent": "",
    "transfer": "inside",
    "country": "",
    "reference": "",
}


@pytest.fixture
def shared(project, people):
    sharing_choose(project, sharing_type="controlled", by=people.planner)
    project.refresh_from_db()
    return project


@pytest.fixture
def held(shared, monkeypatch):
    """The organisation's rules hold for the project."""
    monkeypatch.setattr(selectors, "_house", lambda _project: House(holds=True))
    reads_along("impact_rules", Value(True))
    yield shared
    reads_along("impact_rules", any_version())


def lay(project: Any, people: Any, **changes: Any) -> ImpactAssessment:
    return impact_lay(project, content=content_read(ANSWERS | changes), by=people.executor)


def agree(project: Any, recipient: Any) -> None:
    three = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")
    day = timezone.localdate()
    until = day + timedelta(days=30)
    # Once it is released, the database lets nobody add an agreement that was not signed.
    change(project, state=State.APPROVED)
    agreement = put(
        Agreement,
        project=project,
        recipient=recipient,
        signed_on=day,
        valid_until=until,
        scan_sha256="f" * 64,
        **dict.fromkeys(three, True),
    )
    put(TermsAcceptance, agreement=agreement, accepted_by=recipient)
    change(project, state=project.state)


def missing(project: Any) -> str:
    with translation.override("en"):
        return " ".join(map(str, evidence_state(project, Evidence.RELEASE_READY).missing))


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"lawful": " ", "impact": "", "measures": ""}, {"lawful", "impact", "measures"}),
        ({"level": "", "basis": "will", "transfer": "moon"}, {"level", "basis", "transfer"}),
        ({"basis": "consent"}, {"separate_consent"}),
        ({"transfer": "standard_contract"}, {"country", "reference"}),
        ({"transfer": "certification", "country": "JP"}, {"reference"}),
        ({"transfer": "certification", "country": "Japan", "reference": "C-1"}, {"country"}),
        ({"transfer": "certification", "country": "JP, CN", "reference": "C-1"}, {"country"}),
    ],
)
def test_what_the_law_asks_for_is_not_left_out(changes, fields):
    with pytest.raises(ValidationError) as error:
        content_read(ANSWERS | changes)
    assert set(error.value.message_dict) == fields


def test_the_release_waits_for_one_that_is_about_what_stands_now(held, people):
    waits = "A concluded impact assessment"
    assert waits in missing(held)
    laid = lay(held, people)
    assert waits in missing(held), "nothing holds before a second person has said so"
    impact_decide(laid, accept=True, reason="agreed", by=people.supervisor)
    assert waits not in missing(held)
    second = member_add(held, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    assert waits in missing(held), "it was not about this one"
    member_end(second, by=people.planner)
    assert waits not in missing(held), "who has left is missing to nobody"


@pytest.mark.parametrize("decided", [None, False])
def test_a_newer_one_takes_the_place_of_what_was_concluded(held, people, decided):
    impact_decide(lay(held, people), accept=True, reason="agreed", by=people.supervisor)
    newer = lay(held, people, transfer="standard_contract", country="JP", reference="SC-1", level="high")
    if decided is not None:
        impact_decide(newer, accept=decided, reason="not abroad", by=people.management)
    assert selectors.current_assessment(held) is None
    assert "A concluded impact assessment" in missing(held)


SECOND = {"decided_at": timezone.now(), "reason": "agreed"}


def row(project: Any, **given: Any) -> dict[str, Any]:
    """An assessment of the project; without ``recipients`` as it was kept before they stood beside the hash."""
    names = given.get("recipients") or selectors.recipients_now(project)
    about = selectors._about(project.sharing_type, selectors._grade(project), names)
    return {"project": project, "content": {"level": "low"}, "about": about} | given


def monitored(project: Any, people: Any) -> Release:
    """A release in force of ``project``, with an agreement with the first recipient."""
    change(project, state=State.MONITORING)
    project.refresh_from_db()
    agree(project, people.recipient)
    return put(Release, project=project, files=[{"file_name": "a.csv"}])


def test_after_the_release_who_was_not_assessed_receives_nothing_and_stops_nobody(
    held, people, django_assert_num_queries
):
    impact_decide(lay(held, people), accept=True, reason="agreed", by=people.supervisor)
    with unkept():
        release = monitored(held, people)
        assert may_receive(people.recipient, release)
        two = account()
        member(held, "recipient", two)
        agree(held, two)
        release = Release.objects.get(pk=release.pk)
        assert may_receive(two, release).code == "impact_not_assessed"
        assert may_receive(people.recipient, release)
        with django_assert_num_queries(2):
            assert selectors.outdated_for(two.pk) == {held.pk}
        with translation.override("en"):
            assert "a recipient who is not covered receives nothing" in impact_pointer(release.project).text
            assert "assessed for you as a recipient" in may_receive(two, release).text
        # A new one is laid down for both: while it waits it stops nobody, turned down it stops all, concluded it is about both.
        both = sorted(one.username for one in (two, people.recipient))
        newer = put(ImpactAssessment, **row(held, number=2, recipients=both))
        for decided, codes in (
            ({}, ("impact_not_assessed", "")),
            ({"outcome": "turned_down"} | SECOND, ("impact_not_assessed", "impact_not_assessed")),
        ):
            change(newer, **decided, **({"decided_by": account()} if decided else {}))
            release = Release.objects.get(pk=release.pk)
            assert tuple(may_receive(who, release).code for who in (two, people.recipient)) == codes
        put(
            ImpactAssessment,
            **row(held, number=3, recipients=both, outcome="concluded", decided_by=account()) | SECOND,
        )
        release = Release.objects.get(pk=release.pk)
        for who in (two, people.recipient):
            assert may_receive(who, release)
        change(held.memberships.get(user=two), ended_at=timezone.now())
        assert may_receive(people.recipient, Release.objects.get(pk=release.pk)), "who left stops nobody"


def test_one_from_before_its_recipients_were_kept_is_about_all_of_them(held, people):
    impact_decide(lay(held, people), accept=True, reason="agreed", by=people.supervisor)
    with unkept():
        put(ImpactAssessment, **row(held, number=2, outcome="concluded", decided_by=account()) | SECOND)
        release = monitored(held, people)
        assert may_receive(people.recipient, release)
        member(held, "recipient", account())
        assert may_receive(people.recipient, Release.objects.get(pk=release.pk)).code == "impact_not_assessed"


def test_what_went_out_without_an_assessment_is_received_as_before(held, people, django_assert_num_queries):
    with unkept():
        release = monitored(held, people)
        assert may_receive(people.recipient, release)
        with django_assert_num_queries(1):
            assert not selectors.outdated_for(people.recipient.pk)
        assert impact_pointer(release.project) is None


def test_without_rules_of_the_organisation_nothing_waits(shared):
    assert "impact assessment" not in missing(shared)


def test_two_people_by_rule_and_by_constraint(held, people):
    laid = lay(held, people)
    with pytest.raises(Refused, match="one_waits"):
        lay(held, people)
    for nobody in (people.executor, people.planner, people.recipient, people.outsider):
        with pytest.raises(Refused):
            impact_decide(laid, accept=True, reason="mine", by=nobody)
    with pytest.raises(Refused, match="reason_needed"):
        impact_decide(laid, accept=True, reason=" ", by=people.management)
    assert [len(assessments_waiting(one)) for one in (people.management, people.executor)] == [1, 0]
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE impact_impactassessment SET outcome = 'concluded'")
    impact_decide(laid, accept=False, reason="too little", by=people.management)
    with pytest.raises(Refused, match="decided_already"):
        impact_decide(laid, accept=True, reason="after all", by=people.supervisor)
    assert lay(held, people).number == 2
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"impact.laid_down", "impact.turned_down"} <= actions


def test_why_it_comes_first_is_kept_with_it(held, people):
    laid = lay(held, people, automated=True, transfer="standard_contract", country="JP", reference="SC-1")
    assert laid.occasions == [Occasion.PROVIDED, Occasion.AUTOMATED, Occasion.ABROAD]


@pytest.mark.parametrize(
    ("sharing", "said", "unsaid"),
    [
        ("controlled", "provided to others", "in a controlled environment"),
        ("enclave", "in a controlled environment, which the data never leave", "provided to others"),
        ("public", "made public", "provided to others"),
    ],
)
def test_each_way_of_sharing_is_an_occasion_of_its_own(project, sharing, said, unsaid):
    project.sharing_type = sharing
    with translation.override("en"):
        texts = occasion_texts(selectors.occasions_of(project))
    assert said in " ".join(texts)
    assert unsaid not in " ".join(texts)


@pytest.mark.parametrize(
    ("grade", "said"),
    [
        ("general", []),
        ("sensitive", ["Sensitive personal information is processed"]),
        ("important", ["The data are graded as important data"]),
    ],
)
def test_important_data_are_not_said_to_hold_sensitive_personal_information(
    project, monkeypatch, grade, said
):
    monkeypatch.setattr(selectors, "_grade", lambda _project: grade)
    project.sharing_type = ""
    with translation.override("en"):
        assert occasion_texts(selectors.occasions_of(project)) == said


@pytest.mark.parametrize(
    ("decided", "until"), [((2024, 2, 29), date(2027, 2, 28)), ((2026, 11, 24), date(2029, 11, 24))]
)
def test_it_is_kept_for_three_years(decided, until):
    at = timezone.make_aware(datetime(*decided, 12))
    assert ImpactAssessment(decided_at=at).kept_until == until


def test_it_is_printed_in_both_languages_when_it_is_concluded(held, people):
    laid = impact_decide(lay(held, people), accept=True, reason="agreed", by=people.supervisor)
    run_jobs()
    made = Document.objects.filter(project_id=held.pk, kind="impact_assessment")
    assert {one.language for one in made} == {"en", "zh-hans"}
    assert {one.subject_hash for one in made} == {laid.content_hash}
    assert {one.number for one in made} == {f"{held.number}-IA1"}, (
        "a series of its own: I is the identification report's"
    )


def test_page_and_api(client, held, people):
    page = reverse("impact:page", args=[held.pk])
    client.force_login(people.executor)
    sent = {name: value for name, value in ANSWERS.items() if value not in (False, "")}
    assert client.post(page, sent | {"impact": ""}).status_code == 422
    assert client.post(page, sent).status_code == 302
    laid = ImpactAssessment.objects.get(project=held)
    client.force_login(people.supervisor)
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert ANSWERS["impact"] in shown
    assert 'value="accept"' in shown
    decide = reverse("impact:decide", args=[held.pk, laid.pk])
    mute = client.post(decide, {"decision": "accept", "reason": ""}, headers={"accept-language": "en"})
    assert mute.status_code == 422
    assert sent_nowhere(mute.content.decode()) == []
    assert '<a href="#decision_reason">' in mute.content.decode()
    unsaid = client.post(decide, {"reason": "As agreed"}, headers={"accept-language": "en"})
    assert unsaid.status_code == 422
    assert "State whether the assessment is concluded or rejected." in unsaid.content.decode()
    assert 'value="As agreed"' in unsaid.content.decode(), "what was typed is kept"
    laid.refresh_from_db()
    assert laid.outcome == Outcome.WAITING
    assert client.post(decide, {"decision": "accept", "reason": "good"}).status_code == 302
    laid.refresh_from_db()
    assert laid.outcome == Outcome.CONCLUDED
    client.force_login(people.planner)
    api = reverse("api:impact", args=[held.pk])
    made = client.post(api, ANSWERS, content_type="application/json")
    assert made.status_code == 201
    assert client.post(api, ANSWERS | {"basis": "consent"}, content_type="application/json").status_code in (
        400,
        403,
    )
    client.force_login(people.management)
    turned = client.post(
        reverse("api:impact-decide", args=[held.pk, made.json()["id"]]),
        {"accept": False, "reason": "too little"},
        content_type="application/json",
    )
    assert (turned.status_code, turned.json()["outcome"]) == (200, "turned_down")
    assert [one["number"] for one in client.get(api).json()] == [2, 1]


@pytest.mark.parametrize(
    ("field", "most"), [("lawful", 4000), ("separate_consent", 4000), ("reference", 200)]
)
def test_a_text_that_is_too_long_is_refused_and_not_cut(field, most):
    assert getattr(content_read(ANSWERS | {field: "字" * most}), field) == "字" * most
    with pytest.raises(ValidationError) as caught, translation.override("en"):
        content_read(ANSWERS | {field: "字" * (most + 1)})
    assert caught.value.message_dict == {field: [f"Too long: at most {most}."]}
