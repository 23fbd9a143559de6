"""The certificate of a destroyed key: printed in both languages, true to what was destroyed, once."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from projects.jobs.selectors import latest_job
from projects.vault.documents import CERTIFICATE, CERTIFICATE_JOB, certificate_context, certificate_write
from projects.vault.models import Secret
from projects.vault.purposes import SHARED
from projects.vault.services import secret_destroy, secret_get_or_create, secret_propose
from projects.workflow import State
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released


@pytest.fixture
def monitored(story_at):
    return story_at(State.MONITORING, stories.released)


def destroyed(monitored, people) -> Secret:
    secret = Secret.objects.filter(project=monitored.project, destroyed_at=None).earliest("created_at")
    secret_propose(secret, reason="Nobody needs it", by=people.planner)
    return secret_destroy(secret, reason="The study is over", by=people.supervisor)


@needs_poppler
def test_destroying_a_key_prints_its_certificate(monitored, people, client, tmp_path):
    secret = destroyed(monitored, people)
    print_waiting(CERTIFICATE_JOB)
    made = Document.objects.filter(kind=CERTIFICATE)
    assert {one.language for one in made} == {"zh-hans", "en"}
    assert latest_job(monitored.project, CERTIFICATE_JOB).status == "succeeded"
    number = monitored.project.number
    assert {one.filename for one in made} == {
        f"{number}-销毁证明-v1.pdf",
        f"{number}-certificate-of-destruction-v1.pdf",
    }
    text = text_of(made.get(language="en"), tmp_path)
    event = AuditEvent.objects.get(action="secret.destroyed")
    # Long ones go over two lines, and nothing stands between.
    whole = "".join(text.split())
    for said in (
        str(people.planner),
        str(people.supervisor),
        "Nobody needs it",
        "The study is over",
        str(secret.pk),
        event.hash,
        f"{number}-D1",
    ):
        assert "".join(said.split()) in whole
    assert "The undersigned attest" in text
    client.force_login(people.planner)
    page = client.get(reverse("vault:page", args=[monitored.project.pk])).content.decode()
    assert "销毁证明" in page


def test_it_names_the_runs_that_had_the_key_and_what_rests_on_it(monitored, people):
    secret = destroyed(monitored, people)
    uses = certificate_context(secret)["uses"]
    run = monitored.project.runs.get()
    assert run.key_id == secret.pk
    assert [one["results"] for one in uses] == [[one.result_sha256 for one in run.tables.all()]]


def test_a_second_printing_makes_nothing_new(monitored, people):
    secret = destroyed(monitored, people)
    print_waiting(CERTIFICATE_JOB)
    before = Document.objects.count()
    first = Document.objects.get(kind=CERTIFICATE, language="en")
    assert certificate_write(secret, "en", by=people.planner).pk == first.pk
    assert Document.objects.count() == before


def test_where_other_projects_share_the_key_nobody_is_said_to_be_without_it(monitored, people, project):
    purpose = SHARED % "linking"
    mine = secret_get_or_create(monitored.project, purpose, people.executor, shared=True)
    secret_propose(mine, reason="Over", by=people.planner)
    alone = certificate_context(secret_destroy(mine, reason="Over", by=people.supervisor))["weigh"]
    assert not any(project.number in said for said in alone)
    assert len(alone) == 2
    secret_get_or_create(project, purpose, None, shared=True)
    with override("en"):
        together = certificate_context(mine)["weigh"]
    assert together[0].startswith("1 other project that shares this key keeps it")
    assert not any(project.number in said for said in together), "who reads it may not see that project"
