"""An external assessor says whether a result is of use before it is signed (5.5.3)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from deid_portal.accounts.events import USER_EDITED
from deid_portal.accounts.persons import person_link
from projects.core.models import Notification, Project
from projects.core.tasks_registry import tasks_of
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.models import UtilityOpinion, Verification
from projects.verification.selectors import current_verification
from projects.verification.sign_off.opinions.models import Fitness
from projects.verification.sign_off.opinions.presentation import opinion_text
from projects.verification.sign_off.opinions.selectors import Said, opinions_about
from projects.verification.sign_off.opinions.services import opinion_ask, opinion_give
from projects.workflow import State
from tests.projects.written import write

from . import stories

pytestmark = pytest.mark.django_db
START = stories.waiting
WHY = "The counts by sex and year agree; single days do not."


@pytest.fixture
def project(waiting):
    return Project.objects.get(pk=waiting.project.pk)


@pytest.fixture
def asked(project, people):
    return opinion_ask(project, assessor=people.assessor, question="Seasonal counts", by=people.planner)


def page(project):
    return reverse("verification:opinions", args=[project.pk])


def weighed(project):
    return report_document_context(current_verification(project), kind=REPORT_KIND)["weigh"]


def test_who_signs_reads_the_verdict_and_so_does_the_report(project, people, asked, client):
    client.force_login(people.management)
    decide = reverse("verification:decide", args=[project.pk])
    waits = opinion_text(Said(str(people.assessor), "", ""))
    assert waits in client.get(decide).content.decode()
    assert waits in weighed(project)
    opinion_give(asked, verdict=Fitness.LIMITED, reason=WHY, by=people.assessor)
    said = opinion_text(Said(str(people.assessor), "limited", WHY))
    assert WHY in said
    shown = client.get(decide).content.decode()
    assert said in shown
    assert waits not in shown
    assert said in weighed(project)
    assert str(Fitness.LIMITED.label) in client.get(page(project)).content.decode()


def test_it_is_read_along_with_the_measurement(project, people, asked, django_assert_num_queries):
    opinion_give(asked, verdict=Fitness.FIT, reason=WHY, by=people.assessor)
    newest, by_itself = current_verification(project), Verification.objects.get()
    with django_assert_num_queries(0):
        read = opinions_about(newest)
    assert read == opinions_about(by_itself) == [Said(str(people.assessor), "fit", WHY)]


def test_nobody_asked_leaves_no_word(project, people, client):
    client.force_login(people.management)
    shown = client.get(reverse("verification:decide", args=[project.pk])).content.decode()
    assert "caveat" in shown
    assert str(people.assessor) not in shown


def test_the_assessor_finds_the_question_and_answers_once(
    project, people, client, django_capture_on_commit_callbacks
):
    client.force_login(people.supervisor)
    sent = {"assessor": people.assessor.pk, "question": "Seasonal counts"}
    assert client.post(page(project), sent | {"question": " "}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(page(project), sent).status_code == 302
    asked = UtilityOpinion.objects.get()
    assert asked.verification == current_verification(project)
    assert Notification.objects.filter(user=people.assessor, action="utility.asked").exists()
    assert page(project) in [one.url for one in tasks_of(people.assessor)]
    answer = reverse("verification:opinion", args=[project.pk, asked.pk])
    assert client.post(answer, {"verdict": "fit", "reason": WHY}).status_code == 403
    client.force_login(people.assessor)
    assert asked.question in client.get(page(project)).content.decode()
    assert client.post(answer, {"verdict": "fit", "reason": ""}).status_code == 422
    assert client.post(answer, {"verdict": "fit", "reason": WHY}).status_code == 302
    assert page(project) not in [one.url for one in tasks_of(people.assessor)]
    assert client.post(answer, {"verdict": "unfit", "reason": WHY}).status_code == 403
    asked.refresh_from_db()
    assert (asked.verdict, asked.reason) == ("fit", WHY)
    event = AuditEvent.objects.get(action="utility.given")
    assert (event.actor, event.facts["fitness"]) == (str(people.assessor), "fit")
    assert event.subject_hash == asked.verification.content_hash


@pytest.mark.parametrize("who", ["executor", "management", "auditor", "assessor", "outsider"])
def test_only_planning_manager_and_supervisor_ask(project, people, who):
    with pytest.raises(Refused):
        opinion_ask(project, assessor=people.assessor, question="?", by=getattr(people, who))
    assert not UtilityOpinion.objects.exists()


@pytest.mark.parametrize("whom", ["auditor", "outsider", "management", "recipient"])
def test_nobody_but_an_external_assessor_is_asked(project, people, whom):
    with pytest.raises(Refused) as refused:
        opinion_ask(project, assessor=getattr(people, whom), question="?", by=people.planner)
    assert refused.value.verdict.reason == "not_an_assessor"


def test_an_assessor_whose_time_is_over_is_not_asked(project, people):
    over = write(people.assessor, access_until=timezone.localdate() - timedelta(days=1))
    with pytest.raises(Refused) as refused:
        opinion_ask(project, assessor=over, question="?", by=people.planner)
    assert refused.value.verdict.reason == "not_an_assessor"


def test_who_works_on_it_under_another_account_is_not_asked(project, people):
    person_link(people.assessor, people.executor, reason="one person", by=people.administrator)
    people.assessor.refresh_from_db()
    with pytest.raises(Refused) as refused:
        opinion_ask(project, assessor=people.assessor, question="?", by=people.planner)
    assert refused.value.verdict.reason == "assessor_works_here"


def test_one_assessor_is_asked_once_about_one_result(project, people, asked):
    with pytest.raises(Refused) as refused:
        opinion_ask(project, assessor=people.assessor, question="Again?", by=people.supervisor)
    assert refused.value.verdict.reason == "asked_already"


def test_before_it_is_measured_there_is_nothing_to_judge(people):
    story = stories.measurable(people)
    assert story.project.state == State.VERIFICATION
    with pytest.raises(Refused) as refused:
        opinion_ask(story.project, assessor=people.assessor, question="?", by=people.planner)
    assert refused.value.verdict.reason == "nothing_to_judge"


def test_the_database_keeps_question_and_answer(project, people, asked):
    rows = UtilityOpinion.objects.filter(pk=asked.pk)
    other = {
        "project": project,
        "verification": asked.verification,
        "question": "?",
        "asked_by": people.planner,
    }

    def refused(act):
        with pytest.raises(IntegrityError), transaction.atomic(), recording(USER_EDITED, by=None):
            act()

    refused(lambda: rows.update(question="Something else"))
    refused(lambda: rows.update(verdict="fit"))
    refused(lambda: UtilityOpinion.objects.create(**other, assessor=people.auditor))
    opinion_give(asked, verdict=Fitness.UNFIT, reason=WHY, by=people.assessor)
    refused(lambda: rows.update(verdict="fit"))
    refused(rows.delete)


def test_programs_ask_and_answer(project, people):
    def caller(who):
        client = APIClient()
        client.force_authenticate(getattr(people, who))
        return client

    path = reverse("api:verification-opinions", args=[project.pk])
    sent = {"assessor": people.assessor.username, "question": "Seasonal counts"}
    assert caller("executor").post(path, sent, format="json").status_code == 403
    assert caller("planner").post(path, sent | {"assessor": "auditor"}, format="json").status_code == 400
    made = caller("planner").post(path, sent, format="json")
    assert (made.status_code, made.json()["verdict"]) == (201, "")
    answer = reverse("api:verification-opinion", args=[project.pk, made.json()["id"]])
    given = {"verdict": "unfit", "reason": WHY}
    assert caller("auditor").post(answer, given, format="json").status_code == 403
    assert caller("assessor").post(answer, given, format="json").json()["verdict"] == "unfit"
    assert [one["reason"] for one in caller("management").get(path).json()] == [WHY]
    assert caller("recipient").get(path).status_code == 404
