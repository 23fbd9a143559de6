"""The data of an ended project are destroyed by two persons: bytes and keys are gone, what was recorded is not."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.audit.verify import verify
from approvals.decisions.models import SignOff
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from projects.core.drafts.models import FormDraft
from projects.core.tasks_registry import tasks_of
from projects.datasets.models import Dataset, StoredFile
from projects.datasets.selectors import dataset_open
from projects.datasets.store.holdings import HeldKind, Holder, holders, holdings_of
from projects.datasets.store.sealed import HEADER
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.disposal import rules
from projects.disposal.documents import certificate_context
from projects.disposal.enums import CERTIFICATE_JOB, DESTROY_JOB, DisposalOutcome
from projects.disposal.models import Disposal
from projects.disposal.selectors import content_now, kinds_in, still_there
from projects.disposal.services import (
    disposal_carry_out,
    disposal_finish,
    disposal_keep,
    disposal_propose,
    disposal_resume,
    files_remove,
)
from projects.disposal.terms import Terms
from projects.jobs.models import Job
from projects.jobs.registry import Interrupted
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_cancel, job_run
from projects.processing.runs.selectors import latest_run, result_open
from projects.releases.deliveries.notice import designation_of_release
from projects.releases.models import Release
from projects.vault.custody.models import KeptKey
from projects.vault.documents import CERTIFICATE
from projects.vault.models import Secret
from projects.vault.services import secret_bytes, secret_move
from projects.workflow import Move, State
from techniques.core.messages import EngineError
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.fixtures import make_project
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db


def START(people: SimpleNamespace) -> Any:
    return stories.reach(people, State.CLOSED)


@pytest.fixture
def closed(story_at):
    return story_at(State.CLOSED, START)


@pytest.fixture
def project(closed):
    return closed.project


def proposed(project: Any, people: Any) -> Disposal:
    return disposal_propose(project, reason="The study is over", by=people.planner)


def carried_out(project: Any, people: Any) -> Disposal:
    return disposal_carry_out(proposed(project, people), reason="The term is over", by=people.supervisor)


def destroyed(project: Any, people: Any) -> Disposal:
    disposal = carried_out(project, people)
    job_run(latest_job(project, DESTROY_JOB).pk)
    disposal.refresh_from_db()
    assert disposal.is_destroyed
    return disposal


def held(disposal: Disposal) -> list[StoredFile]:
    return list(StoredFile.objects.filter(pk__in=[one["id"] for one in disposal.files]))


def everything_on_disk() -> bytes:
    return b"".join(path.read_bytes() for path in Path(settings.DEID_STORE_DIR).rglob("*") if path.is_file())


def test_every_reference_to_a_stored_file_says_what_the_file_is():
    """Who adds a field that refers to the store says whether it is data; else it would be left behind."""
    fields = {
        f"{model._meta.label_lower}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey) and field.related_model is StoredFile
    }
    assert fields == {one.code for one in holders()}


def test_what_lies_there_is_listed_with_what_it_is(project, people):
    found = content_now(project)
    whole = {one["code"] for one in found["files"]}
    assert {"datasets.dataset.stored", "datasets.dataset.sample", "processing.runtable.result"} <= whole
    source = Dataset.objects.get(project=project)
    (row,) = [one for one in found["files"] if one["code"] == "datasets.dataset.stored"]
    assert (row["sha256"], row["size"], row["name"]) == (source.sha256, source.size, source.name)
    assert len(found["keys"]) == Secret.objects.filter(project=project, destroyed_at=None).count() > 0
    scans = {one.code for one in holdings_of(project, evidence=True)}
    assert "releases.agreement.scan" in scans
    assert not any(one["kind"] == HeldKind.EVIDENCE for one in found["files"])


def test_what_a_job_left_in_its_workspace_is_listed_too(project, people):
    run = latest_run(project)
    other = EncryptedWorkspace(f"run:{uuid.uuid4()}")
    for workspace in (EncryptedWorkspace(f"run:{run.pk}:share:1:x"), other):
        with workspace.open_write("part") as stream:
            stream.write(b"left")
    assert [one["name"] for one in content_now(project)["files"] if one["code"] == "left_behind"] == ["run"]


def test_nothing_is_destroyed_by_one_person_or_without_a_reason(project, people):
    for who in ("executor", "supervisor", "management", "recipient", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            disposal_propose(project, reason="over", by=getattr(people, who))
    with pytest.raises(Refused) as refused:
        disposal_propose(project, reason="  ", by=people.planner)
    assert refused.value.verdict.code == "reason_needed"
    disposal = proposed(project, people)
    with pytest.raises(Refused) as refused:
        proposed(project, people)
    assert refused.value.verdict.code == "disposal_open"
    for who in ("planner", "executor", "management", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            disposal_carry_out(disposal, reason="over", by=getattr(people, who))
    with pytest.raises(Refused) as refused:
        disposal_carry_out(disposal, reason=" ", by=people.supervisor)
    assert refused.value.verdict.code == "reason_needed"
    assert len(still_there(disposal)) == len(disposal.files)
    assert store_open(held(disposal)[0]).read(1) is not None


def test_bytes_and_keys_are_gone_and_what_was_recorded_is_not(project, people):
    events, documents = AuditEvent.objects.count(), Document.objects.count()
    disposal = proposed(project, people)
    before = [one.path.read_bytes() for one in held(disposal)]
    assert before
    assert all(content in everything_on_disk() for content in before)
    disposal = disposal_carry_out(disposal, reason="The term is over", by=people.supervisor)
    assert disposal.is_destroying
    assert not any(bytes(one.wrapped_key) for one in held(disposal)), "no key is left when the act is"
    assert not Secret.objects.filter(project=project, destroyed_at=None).exists()
    job_run(latest_job(project, DESTROY_JOB).pk)
    disposal.refresh_from_db()
    assert disposal.is_destroyed
    left = everything_on_disk()
    assert not any(content[HEADER : HEADER + 64] in left for content in before)
    assert still_there(disposal) == []
    staying = disposal.measured.pop("staying")
    assert disposal.measured.pop("copies") == [], "nobody fetched a file"
    assert staying["signatures"] == SignOff.objects.filter(project_id=project.pk).count() > 0
    assert disposal.measured == {
        "before": {str(one.pk): len(content) for one, content in zip(held(disposal), before, strict=True)},
        "after": {one["id"]: False for one in disposal.files},
    }
    assert kinds_in(content_now(project)) == []
    assert len(holdings_of(project, evidence=True)) > 0, "what people signed is evidence"
    assert AuditEvent.objects.count() > events
    assert Document.objects.count() >= documents
    assert not verify().faults


def test_the_second_person_reads_the_proposal_and_decides_on_its_page(project, people, client):
    disposal = proposed(project, people)
    client.force_login(people.supervisor)
    page = client.get(reverse("disposal:page", args=[project.pk]))
    assert page.status_code == 200
    said = page.content.decode()
    assert "The study is over" in said
    for act in ("carry_out", "keep"):
        assert reverse(f"disposal:{act}", args=[project.pk, disposal.pk]) in said


def test_what_was_half_said_about_the_data_goes_with_them(project, people, client):
    client.force_login(people.planner)
    half = {"description": "half said", "then": "keep"}
    assert client.post(reverse("incidents:page", args=[project.pk]), half).status_code == 204
    assert (
        client.post(
            reverse("disposal:propose", args=[project.pk]), {"reason": "half", "then": "keep"}
        ).status_code
        == 204
    )
    assert not Disposal.objects.exists()
    page = client.get(reverse("disposal:page", args=[project.pk])).content.decode()
    assert "half" in page
    carried_out(project, people)
    assert not FormDraft.objects.filter(project=project).exists()


def test_nothing_opens_any_more_and_says_why(project, people):
    source, run = Dataset.objects.get(project=project), latest_run(project)
    secret = Secret.objects.filter(project=project, destroyed_at=None).first()
    destroyed(project, people)
    source = Dataset.objects.select_related("stored", "sample").get(pk=source.pk)
    for opened in (
        lambda: dataset_open(source),
        lambda: result_open(run.tables.select_related("result").get()),
    ):
        with pytest.raises(EngineError) as error:
            opened()
        assert error.value.code == "store.destroyed"
    with pytest.raises(EngineError) as error:
        secret_bytes(secret)
    assert error.value.code == "vault.destroyed"


def test_a_project_that_goes_on_keeps_its_data(people):
    story = stories.reach(people, State.MONITORING, "A live one")
    verdict = rules.may_propose(people.planner, story.project)
    assert verdict.code == "release_in_force"
    Release.objects.get(project=story.project)
    with pytest.raises(Refused):
        disposal_propose(story.project, reason="at once", by=people.planner)
    early = stories.reach(people, State.PROCESSING, "An early one")
    assert rules.may_propose(people.planner, early.project).code == "project_not_ended"
    early.project = _moved(early.project, Move.WITHDRAW, people)
    assert rules.may_propose(people.planner, early.project)


def _moved(project: Any, move: Move, people: Any) -> Any:
    from projects.core.services import project_move

    return project_move(project, move=move, by=people.planner, reason="no longer wanted")


@pytest.mark.parametrize("act", ["carry_out", "keep", "resume"])
@pytest.mark.parametrize(("page", "dash"), [("disposal:{}", "_"), ("api:disposal-{}", "-")])
def test_below_another_project_a_disposal_does_not_exist(project, people, client, act, page, dash):
    disposal, other = proposed(project, people), make_project(people)
    client.force_login(people.supervisor)
    name = page.format(act.replace("_", dash))
    asked = reverse(name, kwargs={"project_id": other.pk, "disposal_id": disposal.pk})
    assert client.post(asked, {"reason": "mine"}).status_code == 404
    disposal.refresh_from_db()
    assert disposal.is_waiting


def test_what_is_destroyed_is_what_was_proposed(project, people):
    disposal = proposed(project, people)
    run = latest_run(project)
    with EncryptedWorkspace(f"run:{run.pk}").open_write("part") as stream:
        stream.write(b"left")
    with pytest.raises(Refused) as refused:
        disposal_carry_out(disposal, reason="over", by=people.supervisor)
    assert refused.value.verdict.code == "other_content"
    disposal_keep(disposal, reason="something came in between", by=people.supervisor)
    assert proposed(project, people).number == 2


def test_what_is_kept_stays_and_may_be_proposed_again(project, people):
    disposal = disposal_keep(proposed(project, people), reason="An appeal is open", by=people.supervisor)
    assert disposal.outcome == DisposalOutcome.KEPT
    assert len(still_there(disposal)) == len(disposal.files)
    with pytest.raises(Refused):
        disposal_carry_out(disposal, reason="all the same", by=people.supervisor)
    again = proposed(project, people)
    assert disposal_keep(again, reason="a mistake", by=people.planner).decided_by == people.planner


def test_a_crash_in_the_middle_is_said_and_ends_well(project, people):
    disposal = carried_out(project, people)
    whole = len(disposal.files)
    assert len(still_there(disposal)) == whole, "the encrypted files are the job's work"

    def killed(share: float) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        files_remove(disposal, killed)
    assert len(still_there(disposal)) == whole - 1
    with pytest.raises(EngineError) as error:
        disposal_finish(disposal, by=people.supervisor)
    assert (error.value.code, error.value.params) == ("disposal.left", {"files": whole - 1})
    disposal.refresh_from_db()
    assert disposal.is_destroying
    assert "after" not in disposal.measured
    assert not Document.objects.filter(kind=CERTIFICATE, subject_id=str(disposal.pk)).exists()
    job_run(latest_job(project, DESTROY_JOB).pk)
    disposal.refresh_from_db()
    assert disposal.is_destroyed
    assert len(disposal.measured["before"]) == whole


def test_a_removal_that_was_cancelled_is_said_and_goes_on_by_the_supervisor(project, people, client):
    disposal = carried_out(project, people)
    job = latest_job(project, DESTROY_JOB)
    assert rules.may_resume(people.supervisor, disposal).code == "not_interrupted"
    job_cancel(job, by=people.supervisor)
    (task,) = [one for one in tasks_of(people.supervisor) if one.icon == "trash"]
    assert task.url == reverse("disposal:page", args=[project.pk])
    client.force_login(people.auditor)
    page = client.get(task.url, headers={"accept-language": "en"}).content.decode()
    assert f"{len(disposal.files)} encrypted files are still on the disk" in page
    assert "the encrypted files were removed" not in page
    with pytest.raises(Refused):
        disposal_resume(disposal, by=people.planner)
    disposal_resume(disposal, by=people.supervisor)
    job_run(latest_job(project, DESTROY_JOB).pk)
    disposal.refresh_from_db()
    assert disposal.is_destroyed
    assert not [one for one in tasks_of(people.supervisor) if one.icon == "trash"]


def test_a_running_job_is_waited_for(project, people):
    Job.objects.create(kind="processing.run", project=project, requested_by=people.executor, title="Run")
    assert rules.may_propose(people.planner, project).code == "jobs_run"


def test_tasks_come_and_go_with_what_is_to_be_done(project, people):
    def trash(person: Any) -> list[Any]:
        return [one for one in tasks_of(person) if one.icon == "trash"]

    assert (len(trash(people.planner)), len(trash(people.supervisor))) == (1, 0)
    disposal = proposed(project, people)
    assert (len(trash(people.planner)), len(trash(people.supervisor))) == (0, 1)
    disposal_keep(disposal, reason="not yet", by=people.supervisor)
    assert (len(trash(people.planner)), len(trash(people.supervisor))) == (1, 0)
    destroyed(project, people)
    assert (len(trash(people.planner)), len(trash(people.supervisor))) == (0, 0)


@needs_poppler
def test_the_certificate_says_what_was_measured(project, people, tmp_path):
    disposal = destroyed(project, people)
    print_waiting(CERTIFICATE_JOB)
    made = Document.objects.filter(kind=CERTIFICATE, subject_id=str(disposal.pk))
    assert {one.language for one in made} == {"zh-hans", "en"}
    assert len({one.number for one in made}) == 1
    whole = "".join(text_of(made.get(language="en"), tmp_path).split())
    recorded = AuditEvent.objects.get(action="disposal.finished")
    for said in (
        *(one["sha256"] for one in disposal.files),
        str(people.planner),
        str(people.supervisor),
        "The study is over",
        "The term is over",
        recorded.hash,
        "after: gone",
    ):
        assert "".join(said.split()) in whole
    assert "stillthere" not in whole
    with override("en"):
        assert "".join(designation_of_release(Release.objects.get(project=project)).name.split()) in whole
    assert "销毁后：已不在" in "".join(text_of(made.get(language="zh-hans"), tmp_path).split())


def test_keys_leave_the_store_that_others_guard_before_the_certificate_says_so(project, people, keystore):
    for secret in Secret.objects.filter(project=project, destroyed_at=None):
        secret_move(secret)
    keys = KeptKey.objects.count()
    assert keys > 1
    disposal = destroyed(project, people)
    assert KeptKey.objects.count() == 0
    with override("en"):
        said = certificate_context(disposal)
    assert f"of which {keys} lay in the store of the keys" in dict(said["facts"])["How"]
    assert any("backup of the store of the keys" in one for one in said["weigh"])


def test_no_page_or_endpoint_breaks_where_the_data_were(project, people, client):
    """Every address of the project that answered before answers still, or refuses with a reason."""
    ids = {
        "dataset_id": Dataset.objects.get(project=project).pk,
        "run_id": latest_run(project).pk,
        "job_id": Job.objects.filter(project=project).first().pk,
    }
    addresses = list(_addresses(project, ids))
    assert len(addresses) > 60

    def asked() -> dict[tuple[str, str], int]:
        found = {}
        for who in ("planner", "executor", "supervisor", "auditor"):
            browser = Client()
            browser.force_login(getattr(people, who))
            found |= {(who, one): browser.get(one).status_code for one in addresses}
        return found

    before = asked()
    assert not [one for one in before.items() if one[1] >= 500]
    destroyed(project, people)
    after = asked()
    assert not [one for one in after.items() if one[1] >= 500]
    worse = {one: (before[one], after[one]) for one in before if before[one] == 200 and after[one] != 200}
    assert {address.rsplit("/", 2)[1] for _who, address in worse} <= {"preview", "ask"}
    assert {pair[1] for pair in worse.values()} <= {403}
    client.force_login(people.executor)
    refusal = client.get(reverse("api:dataset-preview", args=[project.pk, ids["dataset_id"]]))
    assert (refusal.status_code, refusal.json()["code"]) == (403, "content_destroyed")
    page = client.get(reverse("datasets:page", args=[project.pk]), headers={"accept-language": "en"})
    assert "Data of this project were destroyed" in page.content.decode()


def _addresses(project: Any, ids: dict[str, Any]) -> Any:
    from django.urls import URLPattern, get_resolver

    def walk(patterns: Any, names: tuple[str, ...], arguments: frozenset[str]) -> Any:
        for one in patterns:
            own = arguments | set(one.pattern.converters)
            if isinstance(one, URLPattern):
                if one.name and "project_id" in own and own <= {"project_id", *ids}:
                    yield ":".join((*names, one.name)), own
            else:
                yield from walk(one.url_patterns, (*names, one.namespace) if one.namespace else names, own)

    for name, wanted in walk(get_resolver().url_patterns, (), frozenset()):
        yield reverse(name, kwargs={key: ({"project_id": project.pk} | ids)[key] for key in wanted})


def test_one_kind_may_go_before_the_others(project, people):
    """Sources are destroyed first; results, keys and previews stay until their own terms are over."""
    first = disposal_propose(project, reason="not needed", kinds=["source"], by=people.planner)
    disposal_carry_out(first, reason="over", by=people.supervisor)
    job_run(latest_job(project, DESTROY_JOB).pk)
    assert not Dataset.objects.filter(project=project, stored__destroyed_at=None).exists()
    assert Secret.objects.filter(project=project, destroyed_at=None).exists()
    with result_open(latest_run(project).tables.get()) as stream:
        assert stream.read(1)
    assert HeldKind.SOURCE not in kinds_in(content_now(project))
    with pytest.raises(Refused) as refused:
        disposal_propose(project, reason="again", kinds=["source"], by=people.planner)
    assert refused.value.verdict.code == "nothing_there"
    rest = destroyed(project, people)
    assert (rest.number, kinds_in(content_now(project))) == (2, [])


def test_a_term_that_is_over_says_so_and_destroys_nothing_by_itself(project, people, client, monkeypatch):
    assert tasks_of(people.planner)[-1].deadline is None
    days = {"source": 0, "result": 30}
    monkeypatch.setattr("projects.disposal.terms._source", lambda: Terms(1, days))
    (task,) = [one for one in tasks_of(people.planner) if one.icon == "trash"]
    assert task.deadline.due == timezone.localdate(project.state_since)
    client.force_login(people.planner)
    page = client.get(task.url, headers={"accept-language": "en"}).content.decode()
    assert f"over since {task.deadline.due}" in page
    assert f"over on {task.deadline.due + timedelta(days=30)}" in page
    assert "no term was decided" in page
    assert HeldKind.SOURCE in kinds_in(content_now(project))


def test_holders_are_declared_once():
    assert len({one.code for one in holders()}) == len(holders())
    assert all(isinstance(one, Holder) for one in holders())
