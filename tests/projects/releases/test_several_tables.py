"""Two tables from upload to download: one person has one pseudonym, and what joined before joins after."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from approvals.governance.verdict import Refused
from deid_portal.organisation.services import ensure_defaults
from projects.core.evidence import evidence_state
from projects.core.services import project_move
from projects.datasets.models import StoredFile
from projects.datasets.tables.selectors import first_table, links_of, tables_of
from projects.identification.selectors import verdicts_hash
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.processing.models import Run
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.rules import ProcessingReason
from projects.processing.runs.selectors import latest_run, result_hashes
from projects.processing.runs.services import run_start
from projects.releases.deliveries.services import row_is_sound
from projects.releases.enums import DeliveryStatus
from projects.releases.selectors import current_release
from projects.releases.services import delivery_open, delivery_request
from projects.verification.selectors import current_verification
from projects.workflow import Evidence, Move, State
from techniques.core.messages import EngineError
from tests.projects.datasets.tables.stories import (
    HASH,
    PATIENTS,
    joint_recipe,
    make_story,
    patients_csv,
    patients_recipe,
    visits_csv,
    visits_recipe,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield make_story(people)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_from_upload_to_download(story, people):
    project = story.reach(State.IDENTIFICATION)
    story.upload()
    (link,) = links_of(project)
    assert (link.counts["rows"], link.counts["orphans"]) == (PATIENTS * 2, 3)
    # No stage passes until every table has its evidence.
    assert evidence_state(project, Evidence.DATASET_READY).met
    patients, visits = tables_of(project)
    story.scan_table(patients)
    story.judge_table(patients)
    missing = evidence_state(project, Evidence.VERDICTS_COMPLETE).missing
    assert len(missing) == 1
    assert str(missing[0]).startswith("就诊")
    assert verdicts_hash(project) == ""
    with pytest.raises(Refused):
        project_move(project, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    story.scan_table(visits)
    story.judge_table(visits)
    project_move(project, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    story.run_jobs()
    project.refresh_from_db()
    story.review()
    project.refresh_from_db()

    refuses_what_breaks_a_link(project, people)

    # One job, and nothing is visible until all results are whole: a worker dies between the tables.
    run, job = run_start(project, by=people.executor)
    dies_between_the_tables(job)
    run.refresh_from_db()
    assert [one.result for one in run.tables.all()] == [None, None]
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    job_run(job.pk)
    job.refresh_from_db()
    assert job.status == "succeeded", job.error_text
    run = latest_run(project)
    assert len(result_hashes(run)) == 2
    assert all(result_hashes(run))
    assert run.joins[0]["orphans_after"] == 3
    project.refresh_from_db()
    project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor)
    story.run_jobs()
    project.refresh_from_db()
    story.review()
    project.refresh_from_db()

    story.verify()
    measured = current_verification(project)
    assert measured.passed, [c for c in measured.checks if c["passed"] is not True]
    by_table = {check.get("table", "") for check in measured.checks}
    assert by_table == {"患者表", "就诊", ""}
    joined = next(check for check in measured.checks if check["kind"] == "joined")
    assert joined["measured"] >= joined["target"]
    project.refresh_from_db()
    story.review()
    story.approve_release()
    story.release()

    project.refresh_from_db()
    release = current_release(project)
    delivery, _job = delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    delivery.refresh_from_db()
    files = [
        b"".join(delivery_open(delivery, by=people.recipient, file=number)[0])
        for number in range(len(release.files))
    ]
    with pytest.raises(StoredFile.DoesNotExist):
        delivery_open(delivery, by=people.recipient, file=2)
    same_person_same_pseudonym(*files)
    seal_binds_every_file(story, people, release)


def refuses_what_breaks_a_link(project, people):
    other = {**HASH, "parameters": {"prefix": "V-", "length": 24}}
    for broken in (visits_recipe(other), visits_recipe({"technique": "suppression.remove_column"})):
        whole = joint_recipe()
        whole["tables"]["就诊"] = broken
        with pytest.raises(EngineError) as refusal:
            recipe_save(first_table(project), content=whole, by=people.executor)
        assert refusal.value.code in ("reference_differs", "reference_removed")
    # Table by table: the run is refused as long as one is missing, or both do not fit.
    recipe_save(first_table(project), content=patients_recipe(), by=people.executor)
    refused(project, people, ProcessingReason.TABLE_WITHOUT_RECIPE)
    _patients, visits = tables_of(project)
    recipe_save(visits, content=visits_recipe(other), note="first", by=people.executor)
    refused(project, people, ProcessingReason.LINK_BROKEN)
    recipe_save(visits, content=visits_recipe(), note="the same key", by=people.executor)
    assert current_recipe(project).number == 3
    assert not Run.objects.filter(project=project).exists()


def refused(project, people, reason):
    with pytest.raises(Refused) as refusal:
        run_start(project, by=people.executor)
    assert refusal.value.verdict.reason == reason


def dies_between_the_tables(job):
    """The process ends without a word while the second table is treated."""
    from projects.jobs import registry

    class Killed(BaseException):
        pass

    kind = registry.kind_of(job.kind)
    sound = kind.run_item

    def until(job, key, tick):
        if key.startswith("1/transform"):
            raise Killed
        return sound(job, key, tick)

    kind.run_item = until
    try:
        job_run(job.pk)
    except Killed:
        pass
    finally:
        del kind.run_item
        kind.leave()


def same_person_same_pseudonym(patients: bytes, visits: bytes):
    sources = rows_of(patients_csv()), rows_of(visits_csv())
    results = rows_of(patients), rows_of(visits)
    assert set(results[0][0]) == {"病历号", "性别", "出生日期"}
    # No row left and their order stayed, so each row can be set beside its source.
    first = dict(zip((r["病历号"] for r in sources[0]), (r["病历号"] for r in results[0]), strict=True))
    second = [(s["患者"], r["患者"]) for s, r in zip(sources[1], results[1], strict=True)]
    assert len(set(first.values())) == PATIENTS
    known = set(first.values())
    for person, pseudonym in second:
        assert pseudonym.startswith("P-")
        assert (pseudonym == first[person]) if person in first else pseudonym not in known
    assert len({pseudonym for _person, pseudonym in second}) == len({person for person, _p in second})


def seal_binds_every_file(story, people, release):
    """A further file that is not what was sealed breaks the seal of the whole release."""
    assert row_is_sound(release)
    release.files[1]["rows"] += 1
    assert not row_is_sound(release)
    release.refresh_from_db()
    stored = StoredFile.objects.get(pk=release.files[1]["stored"])
    raw = bytearray(stored.path.read_bytes())
    raw[-1] ^= 1
    stored.path.write_bytes(bytes(raw))
    delivery, _job = delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    delivery.refresh_from_db()
    release.refresh_from_db()
    assert delivery.status == DeliveryStatus.REFUSED
    assert release.seal_broken_at is not None
