"""Intruder tests: opened by the supervisor, claims checked by somebody else, and the review waits where the target asks."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.drafts.models import FormDraft
from projects.core.evidence import evidence_state
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.intrusion import selectors, services
from projects.intrusion.documents import report_context
from projects.intrusion.enums import ClaimVerdict, Knowledge
from projects.intrusion.models import IntruderTest
from projects.intrusion.presentation import outcome
from projects.intrusion.providers import intruders_pointer
from projects.objective.models import Objective
from projects.processing.models import Run
from projects.processing.runs.designation.presentation import designation_rows
from projects.workflow import Evidence, Move, State
from tests.projects.rows import change, put, unkept
from tests.projects.verification import stories

START = stories.measurable
SAID = {
    "knowledge": Knowledge.OUTSIDER,
    "scope": "Ten patients of the town, two days.",
    "testers": "Two students of statistics of another university.",
    "auxiliary": "The local newspaper, public registers.",
}


@pytest.fixture
def story(story_at):
    return story_at(State.VERIFICATION, stories.measurable)


@pytest.fixture
def asked(story):
    """The target asks for a test: at most a tenth may be recognised."""
    objective = Objective.objects.get(project=story.project)
    change(objective, risk=objective.risk | {"intruders": 0.1})
    story.fresh()
    return story


def opened(story, people, **given) -> IntruderTest:
    return services.intruder_test_open(story.project, **SAID | given, by=people.supervisor)


def waiting_ids(test):
    return [one.pk for one in selectors.claims_of(test) if one.verdict == ClaimVerdict.WAITING]


def concluded(story, people, *, right: int, wrong: int, attempts: int) -> IntruderTest:
    test = opened(story, people)
    number = 0
    for many, is_right in ((right, True), (wrong, False)):
        if not many:
            continue
        records = range(number + 1, number + many + 1)
        number += many
        services.claims_record(test, records=[*records], reference="envelope 1", by=people.supervisor)
        services.claims_check(test, claims=waiting_ids(test), right=is_right, by=people.executor)
    return services.intruder_test_close(
        test, attempts=attempts, conclusion="As it stands.", by=people.supervisor
    )


def missing(project):
    return [str(one) for one in evidence_state(project, Evidence.GATE_PASSED).missing]


def test_from_the_opening_to_the_report(story, people, client):
    project = story.project
    client.force_login(people.supervisor)
    page = reverse("intrusion:page", args=[project.pk])
    assert client.post(page, SAID | {"scope": " "}).status_code == 422
    assert client.post(page, SAID).status_code == 302
    test = IntruderTest.objects.get()
    where = reverse("intrusion:test", args=[project.pk, test.pk])
    claim, check, close = (
        reverse(f"intrusion:{name}", args=[project.pk, test.pk]) for name in ("claim", "check", "close")
    )
    assert client.post(claim, {"records": "3, four", "reference": "envelope 3"}).status_code == 422
    assert client.post(claim, {"records": "3，5\n8", "reference": "envelope 3"}).status_code == 302
    assert [one.record for one in selectors.claims_of(test)] == [3, 5, 8]
    # Nobody concludes what was not checked, and who recorded claims has no say in it.
    assert client.post(close, {"attempts": 20, "conclusion": "Well."}).status_code == 403
    assert client.post(check, {"claims": waiting_ids(test), "right": "yes"}).status_code == 403
    assert any(where == one.url for one in tasks_of(people.executor))
    client.force_login(people.executor)
    first, *others = waiting_ids(test)
    assert client.post(check, {"claims": [], "right": "yes"}).status_code == 422
    assert client.post(check, {"claims": [first], "right": "yes"}).status_code == 302
    assert client.post(check, {"claims": others, "right": "no"}).status_code == 302
    assert not any(where == one.url for one in tasks_of(people.executor))
    client.force_login(people.supervisor)
    assert client.post(close, {"attempts": 20, "conclusion": "One of twenty."}).status_code == 302
    shown = client.get(where, headers={"accept-language": "en"}).content.decode()
    # Wilson's interval of 1 of 20.
    assert "1 of 20 persons recognised: 5 % (95 % interval: 0.89 % to 23.61 %)" in shown
    run_jobs()
    printed = Document.objects.filter(project_id=project.pk, kind="intruder_test_report")
    assert {one.language for one in printed} == {"en", "zh-hans"}
    test.refresh_from_db()
    with override("en"):
        context = report_context(test)
        (called,) = designation_rows(test.run)
    assert called in context["brief"]
    assert called[1].startswith("Not determined, as known on")
    assert len(context["claims"]) == 3
    assert context["weigh"] == ["The target asks for no such test."]
    events = list(AuditEvent.objects.filter(action__startswith="intrusion.").order_by("seq"))
    assert [one.action.removeprefix("intrusion.") for one in events] == [
        "opened", "claimed", "checked", "checked", "concluded",
    ]  # fmt: skip
    # Counts are in the log, and neither records nor where it says who they are of.
    assert not any("envelope" in str(one.facts) for one in events)
    assert events[-1].facts["right"] == 1


def test_the_review_waits_for_a_test_within_the_target(asked, people):
    project = asked.project
    asked.measure()
    project.refresh_from_db()
    assert intruders_pointer(project) is not None
    with override("en"):
        (first,) = missing(project)
    assert first.startswith("A concluded intruder test of the current result.")
    opened_one = opened(asked, people)
    assert len(missing(project)) == 1, "one that is under way is not concluded"
    services.intruder_test_close(opened_one, attempts=10, conclusion="Nobody.", by=people.supervisor)
    assert missing(project) == []
    assert intruders_pointer(project) is None
    # The newest counts: two of ten are more than a tenth.
    concluded(asked, people, right=2, wrong=0, attempts=10)
    with override("en"):
        (why,) = missing(project)
    assert why.startswith(
        "An intruder test within its target. Of this result: 2 of 10 persons recognised: 20 %"
    )
    concluded(asked, people, right=1, wrong=3, attempts=10)
    assert missing(project) == [], "exactly a tenth is allowed"


def test_who_judges_the_result_reads_that_people_have_tried_it(story, people, client):
    project = story.project
    story.measure()
    project.refresh_from_db()
    assert intruders_pointer(project) is None
    concluded(story, people, right=1, wrong=0, attempts=4)
    assert intruders_pointer(project) is None, "of a result that nobody judges yet"
    project_move(project, move=Move.SUBMIT_VERIFICATION, by=people.executor)
    client.force_login(people.supervisor)
    page = reverse("verification:page", args=[project.pk])
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "1 of 4 persons recognised: 25 %" in shown


def test_nothing_waits_where_no_test_is_asked_for(story, people):
    story.measure()
    story.project.refresh_from_db()
    assert missing(story.project) == []
    assert intruders_pointer(story.project) is None


def test_another_result_needs_a_test_of_its_own(asked, people):
    asked.measure()
    asked.project.refresh_from_db()
    test = concluded(asked, people, right=0, wrong=0, attempts=10)
    assert missing(asked.project) == []
    assert selectors.concluded_about(test.run) == test
    with unkept():
        assert selectors.concluded_about(put(Run, project=asked.project)) is None


def test_what_stands_against_a_claim(story, people):
    test = opened(story, people)
    with pytest.raises(Refused, match="intruder_test_open"):
        opened(story, people)
    record = {"reference": "envelope 1", "by": people.supervisor}
    services.claims_record(test, records=[7], **record)
    for records, code in (
        ([7], "record_claimed_already"),
        ([8, 8], "record_claimed_already"),
        ([0], "no_such_record"),
        ([601], "no_such_record"),
        ([], "intruder_text_needed"),
    ):
        with pytest.raises(Refused, match=code):
            services.claims_record(test, records=records, **record)
    with pytest.raises(Refused, match="no_such_record"):
        services.claims_record(test, records=[9], table="another", **record)
    with pytest.raises(Refused):
        services.claims_record(test, records=[9], reference="envelope 1", by=people.executor)
    assert [one.record for one in selectors.claims_of(test)] == [7]
    (waits,) = waiting_ids(test)
    services.claims_check(test, claims=[waits], right=False, by=people.executor)
    with pytest.raises(Refused, match="no_claim_waits"):
        services.claims_check(test, claims=[waits], right=True, by=people.executor)
    with pytest.raises(Refused, match="fewer_than_claims"):
        services.intruder_test_close(test, attempts=0, conclusion="Well.", by=people.supervisor)
    with pytest.raises(Refused, match="intruder_text_needed"):
        services.intruder_test_close(test, attempts=1, conclusion=" ", by=people.supervisor)
    services.intruder_test_close(test, attempts=1, conclusion="Well.", by=people.supervisor)
    with pytest.raises(Refused, match="intruder_test_closed"):
        services.claims_record(test, records=[9], **record)


def test_an_assessor_who_looks_on_records_claims_and_concludes_nothing(story, people):
    test = opened(story, people)
    services.claims_record(test, records=[1], reference="letter 4", by=people.assessor)
    with pytest.raises(Refused):
        services.claims_check(test, claims=waiting_ids(test), right=True, by=people.assessor)
    services.claims_check(test, claims=waiting_ids(test), right=True, by=people.executor)
    with pytest.raises(Refused):
        services.intruder_test_close(test, attempts=1, conclusion="Well.", by=people.assessor)


def test_what_is_under_way_is_said(story, people):
    test = opened(story, people)
    with override("en"):
        assert outcome(test, []) == "Under way"
        services.claims_record(test, records=[1], reference="letter 4", by=people.supervisor)
        assert outcome(test, selectors.claims_of(test)) == "Claims wait to be checked"


def test_programs_do_the_same(story, people, client):
    project = story.project
    client.force_login(people.supervisor)
    url = reverse("api:intrusion", args=[project.pk])
    made = client.post(url, SAID, content_type="application/json")
    assert made.status_code == 201
    test = made.json()["id"]
    at = {
        name: reverse(f"api:intrusion-{name}", args=[project.pk, test])
        for name in ("claims", "checks", "close", "detail")
    }
    sent = {"records": [2, 4], "reference": "letter 1"}
    claims = client.post(at["claims"], sent, content_type="application/json").json()["claims"]
    client.force_login(people.executor)
    checked = client.post(
        at["checks"],
        {"claims": [one["id"] for one in claims], "right": True},
        content_type="application/json",
    )
    assert checked.json()["rate"] is None
    client.force_login(people.supervisor)
    closed = client.post(
        at["close"], {"attempts": 8, "conclusion": "A quarter."}, content_type="application/json"
    )
    assert closed.status_code == 200
    (found,) = client.get(url).json()
    assert found == client.get(at["detail"]).json()
    assert found["rate"]["value"] == 0.25
    assert 0 < found["rate"]["low"] < 0.25 < found["rate"]["high"] < 1


def test_an_opening_is_kept_as_a_draft_and_opens_nothing(story, people, client):
    project = story.project
    page = reverse("intrusion:page", args=[project.pk])
    client.force_login(people.supervisor)
    assert client.post(page, {"scope": "half a scope", "then": "keep"}).status_code == 204
    assert "half a scope" in client.get(page).content.decode()
    client.force_login(people.executor)
    assert client.post(page, {"scope": "half a scope", "then": "keep"}).status_code == 403
    assert "half a scope" not in client.get(page).content.decode()
    assert FormDraft.objects.get().saved_by == people.supervisor
    assert not selectors.tests_of(project).exists()
