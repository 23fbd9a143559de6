"""What a result tells more together with other releases is approved only with a reason, and never before it is known (4.1 b)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, models, transaction
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Decision, SignOff
from projects.core.models import Project
from projects.core.services import project_move
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.releases.models import RelativesMeasurement
from projects.releases.relatives.outside.services import outside_correct
from projects.releases.relatives.presentation import _open
from projects.releases.relatives.report import OWN, Finding
from projects.releases.relatives.selectors import sets_left_out
from projects.releases.relatives.services import RELATIVES_JOB
from projects.releases.selectors import current_release
from projects.verification.documents import SIGNED_KIND, report_document_context
from projects.verification.selectors import current_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.answer import answer_of
from projects.verification.sign_off.related import related_of
from projects.workflow import Move, State
from tests.fixtures import PASSWORD
from tests.projects.processing.conftest import SmallStory
from tests.projects.processing.recipes.test_recipes import refused
from tests.projects.rows import unkept

from .outside.steps import facts, recorded
from .test_relatives import OtherRecipe, OtherUnmeasured, rare_women, released

pytestmark = pytest.mark.django_db
WHY = "Both are read in the same closed room, by two people who signed for both"
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")


class Waiting(OtherRecipe):
    """No worker has come to measure it with related releases yet."""

    def run_jobs(self) -> None:
        for job in Job.objects.filter(status=JobStatus.QUEUED).exclude(kind=RELATIVES_JOB):
            if not job.kind.endswith("_pdf"):
                job_run(job.pk)


def fresh(story):
    return Project.objects.get(pk=story.project.pk)


def second(people, kind=OtherRecipe, state=State.RELEASE_APPROVAL):
    story = kind(vars(people), "Second study", rare_women(), file_name="visits.csv", documents=False)
    story.reach(state)
    return story


def START(people):
    released(people)
    return second(people)


def address(project, name="verification:decide"):
    return reverse(name, kwargs={"project_id": project.pk})


def decision(project, **more):
    return {
        "decision": "approved",
        "secret": PASSWORD,
        "reason": "As agreed.",
        "content_hash": current_verification(project).content_hash,
        **more,
    }


def approve(story, people, why="", outcome=Decision.APPROVED):
    return release_decide(
        fresh(story), decision=outcome, reason="x", related_acceptance=why, by=people.management
    )


def test_no_way_leads_past_the_reason(client, own_start, people):
    story = own_start.story
    project = fresh(story)
    related = related_of(project)
    assert (related.is_settled, related.is_measuring) == (False, False)
    with override("en"):
        answer = answer_of(project, current_verification(project))
    assert answer.title == "Only with a reason: related releases may reveal more together"
    assert (answer.code, answer.tone) == ("related_open", "warn")
    assert answer.lead.startswith("Every one of the")
    assert answer_of(project, current_verification(project)).lead.endswith(related.text)
    client.force_login(people.management)
    page = client.get(address(project)).content.decode()
    assert "verdict--ok" not in page
    assert 'name="related_acceptance"' in page
    assert 'name="acceptance"' not in page
    assert client.post(address(project), decision(project, related_acceptance=" ")).status_code == 422
    api = address(project, "api:verification-decision")
    sent = client.post(api, decision(project), content_type="application/json")
    assert (sent.status_code, sent.json()["code"]) == (403, "related_not_accepted")
    given = decision(project, related_acceptance=WHY)
    sent = client.post(api, given | {"decision": "returned"}, content_type="application/json")
    assert (sent.status_code, sent.json()["code"]) == (403, "no_related_to_accept")
    with refused("related_not_accepted"):
        approve(story, people, "  ")
    assert fresh(story).state == State.RELEASE_APPROVAL
    assert SignOff.objects.get(project_id=project.pk, subject_kind="release").related_acceptance is None


def test_who_signs_says_why_and_the_team_alone_reads_it(client, own_start, people):
    story = own_start.story
    project = fresh(story)
    client.force_login(people.management)
    seen = client.get(address(project)).context["related"].mark
    sent = decision(project, related_acceptance=WHY, related=seen)
    assert client.post(address(project), sent).status_code == 302
    assert fresh(story).state == State.APPROVED
    signoff = SignOff.objects.get(project_id=project.pk, subject_kind="release")
    assert (signoff.acceptance, signoff.related_acceptance) == ("", WHY)
    event = AuditEvent.objects.get(project_id=project.pk, action="signoff.decided", subject_kind="release")
    assert event.facts["related_acceptance"] == WHY
    report = report_document_context(current_verification(project), kind=SIGNED_KIND)
    assert report["accepted"] == [(str(people.management), "", WHY)]
    story.release()
    for who in INSIDE:
        client.force_login(getattr(people, who))
        for name in ("verification:decide", "releases:page"):
            assert WHY in client.get(address(fresh(story), name)).content.decode(), (who, name)
    received = {"release_id": current_release(fresh(story)).pk}
    client.force_login(people.recipient)
    assert WHY not in client.get(reverse("recipient:detail", kwargs=received)).content.decode()
    assert WHY not in client.get(reverse("api:receive-detail", kwargs=received)).content.decode()
    assert client.get(address(project)).status_code == 404


def test_it_is_approved_only_once_it_is_known(client, people):
    released(people)
    story = second(people, kind=Waiting)
    project = fresh(story)
    assert related_of(project).is_measuring
    client.force_login(people.management)
    page = client.get(address(project), headers={"accept-language": "en"}).content.decode()
    assert "Not yet: related releases are being measured" in page
    assert 'value="approved"' not in page
    assert "Approve it once that is known." in page
    with refused("related_measuring"):
        approve(story, people, WHY)
    # It may go back meanwhile.
    approve(story, people, outcome=Decision.RETURNED)
    assert fresh(story).state == State.PROCESSING
    assert SignOff.objects.get(project_id=project.pk, subject_kind="release").related_accepted == []


def test_what_nobody_measured_is_accepted_with_a_reason_too(people):
    released(people)
    story = second(people, kind=OtherUnmeasured)
    with refused("related_not_accepted"):
        approve(story, people)
    assert approve(story, people, WHY).state == State.APPROVED


def test_what_waits_for_a_signature_is_measured_anew_beside_a_release(people):
    """Nobody has to order it: the release of the second begins it for the first, and the log says that the portal did."""
    first = SmallStory(vars(people), "First study", rare_women(), file_name="visits.csv", documents=False)
    first.reach(State.RELEASE_APPROVAL)
    assert related_of(fresh(first)).is_settled
    before = set(RelativesMeasurement.objects.filter(project=first.project))
    released(people, "Second study", kind=OtherRecipe)
    (made,) = set(RelativesMeasurement.objects.filter(project=first.project)) - before
    assert made.measured_at is not None
    event = AuditEvent.objects.get(subject_id=str(made.pk), action="relatives.due")
    assert not event.actor_id
    related = related_of(fresh(first))
    assert (related.is_settled, related.is_measuring) == (False, False)
    assert str(made) in related.text


def test_what_was_released_outside_the_portal_is_accepted_with_a_reason(people):
    """Nobody can measure it, for the portal does not have its file."""
    recorded(people, columns=["性别", "出生日期", "诊断"])
    story = second(people, kind=SmallStory)
    assert not related_of(fresh(story)).is_settled
    with refused("related_not_accepted"):
        approve(story, people)
    assert approve(story, people, WHY).state == State.APPROVED


def test_where_nothing_more_is_found_nothing_is_accepted(people):
    """The same file by the same recipe tells nothing that the first does not."""
    released(people)
    story = second(people, kind=SmallStory)
    assert related_of(fresh(story)).is_settled
    assert answer_of(fresh(story), current_verification(fresh(story))).code == "passed"
    with refused("no_related_to_accept"):
        approve(story, people, WHY)
    assert approve(story, people).state == State.APPROVED


def test_what_was_released_since_the_approval_is_known_before_the_release(people):
    """The first was approved beside a release that tells no more; what another one tells with it nobody has accepted."""
    first = SmallStory(vars(people), "First study", rare_women(), file_name="visits.csv", documents=False)
    first.reach(State.APPROVED)
    first.sign_agreement()
    released(people, "Second study", kind=OtherRecipe)
    assert SignOff.objects.get(project_id=first.project.pk, subject_kind="release").related_acceptance == ""
    with override("en"), refused("evidence_missing"):
        first.release()
    assert current_release(fresh(first)) is None
    reason = "There is another release."
    first.project = project_move(
        fresh(first), move=Move.REOPEN_VERIFICATION, by=people.supervisor, reason=reason
    )
    first.verify()
    first.project = fresh(first)
    first.review()
    with refused("related_not_accepted"):
        approve(first, people)
    approve(first, people, WHY)
    first.project = fresh(first)
    first.release()
    assert current_release(fresh(first)) is not None


def test_what_was_not_measured_is_open():
    """Of a measurement of three relatives one was compared and is harmless, one tells more, and one stands in no set."""
    sets = [{"kind": "versions", "table": "", "releases": [name]} for name in "ab"]
    measured = RelativesMeasurement(relatives=["a", "b", "c"], sets=sets)
    harmless = [Finding(kind="versions", releases=(OWN, name)) for name in "ab"]
    failed = harmless[1].model_copy(update={"problem": "unreadable"})
    assert _open(measured, harmless) == {"c"}
    assert _open(measured, [harmless[0], failed]) == {"b", "c"}
    # With six of one file not every combination is measured.
    several = [{"kind": "composition", "table": "", "releases": [name]} for name in "abcdef"]
    measured = RelativesMeasurement(relatives=[*"abcdef"], sets=several)
    assert sets_left_out(several)
    found = [Finding(kind="composition", releases=(OWN, name)) for name in "abcdef"]
    assert _open(measured, found) == {*"abcdef"}


def test_who_accepted_one_release_did_not_accept_the_next(people, own_start):
    story = own_start.story
    approve(story, people, WHY)
    story.project = fresh(story)
    story.sign_agreement()
    recorded(people, columns=["性别", "出生日期", "诊断"])
    with refused("evidence_missing"):
        story.release()
    assert current_release(fresh(story)) is None


def test_a_correction_of_what_nothing_is_compared_by_is_not_asked_about(people, own_start):
    entry = recorded(people, columns=["性别", "出生日期", "诊断"])
    story = own_start.story
    approve(story, people, WHY)
    story.project = fresh(story)
    other = facts(columns=["性别", "出生日期", "诊断"], evidence="folder 8")
    outside_correct(entry, other, reason="It was moved.", by=people.planner)
    story.release()
    assert current_release(fresh(story)) is not None


def test_what_came_after_the_page_was_read_is_not_accepted_by_it(client, own_start, people):
    story = own_start.story
    project = fresh(story)
    client.force_login(people.management)
    seen = client.get(address(project)).context["related"].mark
    recorded(people, columns=["性别", "出生日期", "诊断"])
    sent = decision(project, related_acceptance=WHY, related=seen)
    api = address(project, "api:verification-decision")
    answer = client.post(api, sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "other_related")
    assert client.post(address(project), sent).status_code == 403
    assert fresh(story).state == State.RELEASE_APPROVAL
    mark = client.get(address(project, "api:verification-answer")).json()["related"]
    assert mark == related_of(fresh(story)).mark != seen
    assert client.post(address(project), sent | {"related": mark}).status_code == 302


def test_what_comes_while_it_is_measured_is_measured_after_it(people):
    first = Waiting(vars(people), "Third study", rare_women(), file_name="visits.csv", documents=False)
    first.reach(State.RELEASE_APPROVAL)
    under_way = Job.objects.get(kind=RELATIVES_JOB, status=JobStatus.QUEUED)
    other = Waiting(vars(people), "Fourth study", rare_women(), file_name="visits.csv", documents=False)
    other.reach(State.RELEASE_APPROVAL)
    for job in Job.objects.filter(kind=RELATIVES_JOB, status=JobStatus.QUEUED, project=other.project):
        job_run(job.pk)
    approve(other, people, WHY if related_of(fresh(other)).open else "")
    other.project = fresh(other)
    other.release()
    # The release could begin none for the first, which was being measured.
    job_run(under_way.pk)
    assert related_of(fresh(first)).is_measuring
    for job in Job.objects.filter(kind=RELATIVES_JOB, status=JobStatus.QUEUED, project=first.project):
        job_run(job.pk)
    newest = RelativesMeasurement.objects.filter(project=first.project).latest("number")
    assert str(current_release(fresh(other)).pk) in newest.relatives
    assert not related_of(fresh(first)).is_measuring


def test_only_an_approval_accepts(own_start):
    signoffs = models.QuerySet(SignOff).filter(project_id=own_start.story.project.pk, subject_kind="release")
    for text in ("", WHY):
        with unkept(), pytest.raises(IntegrityError, match="accepts_related"), transaction.atomic():
            signoffs.update(related_acceptance=text)
