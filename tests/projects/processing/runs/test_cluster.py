"""Runs on the cluster that the deployment names: who may choose it and when, and on a real one the same bytes as on this server."""

from __future__ import annotations

import base64
import sys
from functools import partial

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.jobs.registry import kind_of
from projects.jobs.services import job_cancel, job_run
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs import documents
from projects.processing.runs.cluster import Connection, _require_protected
from projects.processing.runs.keys import secrets_of
from projects.processing.runs.pages import run_row
from projects.processing.runs.selectors import tables_of_run
from projects.processing.runs.services import run_start
from projects.workflow import State
from techniques.core.messages import EngineError
from tests.projects.processing.conftest import UNPREPARED, SmallStory, at_processing, make_csv
from tests.projects.processing.recipes.test_recipes import refused
from tests.spark import files_holding, pages_of

START = at_processing
NAME = "hospital cluster"


@pytest.fixture
def named(settings):
    """A deployment that names a cluster, which nobody reaches."""
    settings.DEID_SPARK_MASTER = "spark://nowhere.invalid:7077"
    settings.DEID_SPARK_NAME = NAME


def page_of(client, people, project):
    client.force_login(people.executor)
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    return client.get(reverse("processing:page", args=[project.pk])).content.decode()


def with_a_permutation(content):
    steps = [step for step in content["steps"] if step["columns"] != ["费用"]]
    return content | {"steps": [*steps, {"technique": "randomization.permutation", "columns": ["费用"]}]}


def test_without_a_cluster_nothing_is_to_be_chosen(saved, processing, people, client):
    page = page_of(client, people, processing)
    assert "Where the run takes place" not in page
    with refused("no_cluster"):
        run_start(processing, by=people.executor, engine="spark")
    run, _job = run_start(processing, by=people.executor)
    assert (run.cluster, run.engine) == ("", "local")
    assert "cluster" not in AuditEvent.objects.get(action="run.started").facts
    assert run_row(run)["where"] == ""


def test_where_a_run_takes_place_is_chosen_and_recorded(named, saved, processing, people, client):
    page = page_of(client, people, processing)
    assert f"On the cluster {NAME}" in page
    assert "It takes about a minute to begin" in page
    client.post(reverse("processing:run", args=[processing.pk]), {"engine": "spark"})
    run = processing.runs.get()
    assert (run.cluster, run.engine) == (NAME, "spark")
    assert AuditEvent.objects.get(action="run.started").facts["cluster"] == NAME
    for name, more in (("page", {}), ("run_detail", {"run_id": run.pk})):
        address = reverse(f"processing:{name}", kwargs={"project_id": processing.pk, **more})
        assert f"on the cluster {NAME}" in client.get(address).content.decode()
    shown = client.get(reverse("api:processing-run", args=[processing.pk, run.pk])).json()
    assert (shown["engine"], shown["cluster"]) == ("spark", NAME)
    with translation.override("en"):
        rows = documents.report_context(processing, run)["runs"]
        assert rows[0]["where"] == f"on the cluster {NAME}"


@pytest.mark.parametrize("sent", [{}, {"engine": ""}, {"engine": "local"}, {"engine": "elsewhere"}])
def test_this_server_does_it_unless_the_cluster_was_chosen(named, saved, processing, people, client, sent):
    client.force_login(people.executor)
    client.post(reverse("processing:run", args=[processing.pk]), sent)
    assert processing.runs.get().cluster == ""


def test_programs_choose_too(named, saved, processing, people, client):
    client.force_login(people.executor)
    address = reverse("api:processing-runs", args=[processing.pk])
    wrong = client.post(address, {"engine": "elsewhere"}, content_type="application/json")
    assert wrong.status_code == 400
    made = client.post(address, {"engine": "spark"}, content_type="application/json")
    assert (made.status_code, made.json()["engine"], made.json()["cluster"]) == (202, "spark", NAME)


def test_a_step_that_needs_all_rows_in_one_place_is_named_instead(named, processing, content, people, client):
    recipe_save(first_table(processing), content=with_a_permutation(content), by=people.executor)
    page = page_of(client, people, processing)
    assert "Where the run takes place" not in page
    assert "These steps need all rows on one machine" in page
    assert "ermutation" in page
    with refused("not_on_cluster"):
        run_start(processing, by=people.executor, engine="spark")
    client.force_login(people.executor)
    address = reverse("api:processing-runs", args=[processing.pk])
    denied = client.post(address, {"engine": "spark"}, content_type="application/json")
    assert (denied.status_code, denied.json()["code"]) == (403, "not_on_cluster")
    assert run_start(processing, by=people.executor)[0].cluster == ""


@pytest.mark.parametrize(
    ("lacking", "code", "said"),
    [
        ("setting", "run.no_cluster", "no longer set up"),
        ("pyspark", "extra_missing", "pip install"),
        ("java", "spark_java", "Java 17"),
    ],
)
def test_what_is_missing_is_said_and_leaves_nothing(
    named, saved, processing, people, client, settings, monkeypatch, lacking, code, said
):
    run, job = run_start(processing, by=people.executor, engine="spark")
    before = set(StoredFile.objects.values_list("pk", flat=True))
    if lacking == "setting":
        settings.DEID_SPARK_MASTER = ""
    elif lacking == "pyspark":
        monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    else:
        pytest.importorskip("pyspark")
        pytest.importorskip("pandas")
        monkeypatch.setattr("techniques.engines.spark.session.shutil.which", lambda name: None)
        monkeypatch.delenv("JAVA_HOME", raising=False)
    ended = job_run(job.pk)
    assert (ended.status, ended.error_code) == ("failed", code)
    run.refresh_from_db()
    assert run.status == "failed"
    assert set(StoredFile.objects.values_list("pk", flat=True)) == before
    page = page_of(client, people, processing)
    assert said in page
    assert "Tell an administrator, or run the recipe on this server." in page
    assert "Correct the recipe" not in page


class Conf(dict):
    sparkContext = property(lambda self: self)
    getConf = lambda self: self  # noqa: E731


def test_what_travels_between_machines_is_encrypted(settings):
    open_ = Conf({"spark.master": "spark://head:7077"})
    with pytest.raises(EngineError) as fault:
        _require_protected(open_)
    assert fault.value.code == "spark_traffic"
    _require_protected(Conf(open_ | {"spark.network.crypto.enabled": "true"}))
    _require_protected(Conf({"spark.master": "local[2]"}))
    settings.DEID_SPARK_MASTER = ""
    with pytest.raises(EngineError, match="no longer"):
        Connection()()


# -- on a real cluster ---------------------------------------------------------------------------


def long_csv() -> bytes:
    """The rows of five files in one, each person's in a row of their own."""
    lines = [make_csv().decode().splitlines()[0]]
    for seed, more in enumerate("甲乙丙丁戊", start=1):
        rows = (line.split(",", 1) for line in make_csv(seed).decode().splitlines()[1:])
        lines += [f"{name}{more},{rest}" for name, rest in rows]
    return ("\n".join(lines) + "\n").encode()


def long_story(people) -> SmallStory:
    return SmallStory(vars(people), "Visits for a study", long_csv(), file_name="visits.csv", documents=False)


@pytest.fixture
def started(story_at, people, settings, monkeypatch):
    """A run on the real cluster, of parts of 256 rows each, two of them an item."""
    from techniques.engines import local
    from techniques.engines.spark import stored

    settings.DEID_SPARK_MASTER, settings.DEID_SPARK_NAME = "local-cluster[2,1,1024]", NAME
    made = local.Source
    monkeypatch.setattr(local, "Source", lambda opened, form, rows, size: made(opened, form, rows, 1 << 40))
    monkeypatch.setattr(stored, "TASK_PARTS", 1)
    monkeypatch.setattr(stored, "ITEM_TASKS", 2)
    project = long_story(people).reach(State.PROCESSING)
    content = recipe_suggest(first_table(project)) | {"unprepared": UNPREPARED}
    recipe_save(first_table(project), content=content, by=people.executor)
    return run_start(project, by=people.executor, engine="spark")


@pytest.mark.slow
def test_the_result_is_that_of_this_server_to_the_byte(spark, started, tmp_path):
    from projects.datasets.selectors import dataset_format, dataset_open
    from techniques.engines.joint import JointRun, Table
    from techniques.engines.local import DirectoryWorkspace, Source

    run, job = started
    secrets = secrets_of(run, ())
    (table,) = tables_of_run(run).values()
    opened = partial(dataset_open, table.dataset)
    source = Source(opened, dataset_format(table.dataset), table.dataset.rows, 0)
    here = JointRun(
        run.recipe_version.as_set(), {"": Table(source, DirectoryWorkspace(tmp_path / "here"))}, secrets
    ).runs[""]
    expected = here.execute_all()
    ended = job_run(job.pk)
    assert (ended.status, ended.error_text) == ("succeeded", "")
    assert len(ended.items.filter(key__startswith="transform")) == 3
    (table,) = tables_of_run(run).values()
    table.refresh_from_db()
    with here.workspace.open_read(here.result_name) as one, store_open(table.result) as other:
        assert one.read() == other.read()
    assert table.result_rows > 1000
    report = table.report
    assert report["versions"].pop("pyspark")
    assert report == expected
    assert not StoredFile.objects.filter(scope__startswith="run:").exists()
    assert kind_of("processing.run")._last is None
    assert AuditEvent.objects.filter(action="run.succeeded", subject_id=str(run.pk)).exists()


@pytest.mark.slow
def test_keys_and_cells_are_in_no_log_plan_or_page(spark, started, monkeypatch):
    """Nor on the disks of the cluster: not the run's keys, not those of its files, no name of a patient."""
    from projects.datasets.store import store
    from techniques.engines.spark.stored import StoredCluster

    run, job = started
    secrets, files, found = secrets_of(run, ()), [], []
    shared = store.SharedFile

    def noted(*arguments):
        files.append(arguments[3])
        return shared(*arguments)

    monkeypatch.setattr(store, "SharedFile", noted)
    treated = StoredCluster.treated

    def looked_at(self, *arguments):
        yield from treated(self, *arguments)
        keys = [secrets.key, secrets.seed_bytes, *set(files)]
        sought = [form for key in keys for form in (key, key.hex().encode(), base64.b64encode(key)[:-4])]
        sought += [b"BL010000", b"BL050000"]
        found.append(files_holding(spark.folder, sought))
        pages = pages_of(spark.session.sparkContext.uiWebUrl)
        assert b"apInArrow" in pages
        found.append([one for one in sought if one in pages])

    monkeypatch.setattr(StoredCluster, "treated", looked_at)
    assert job_run(job.pk).status == "succeeded"
    assert len(set(files)) > 10
    assert len(found) == 6
    assert not any(found)


@pytest.mark.slow
def test_a_run_that_is_cancelled_on_the_cluster_leaves_nothing(spark, started, people, monkeypatch):
    from techniques.engines.spark.stored import StoredCluster

    run, job = started
    before = set(StoredFile.objects.values_list("pk", flat=True))
    treated = StoredCluster.treated

    def cancelled(self, parts, *arguments):
        if parts.start:
            job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
        yield from treated(self, parts, *arguments)

    monkeypatch.setattr(StoredCluster, "treated", cancelled)
    assert job_run(job.pk).status == "cancelled"
    run.refresh_from_db()
    (table,) = run.tables.all()
    assert (run.status, table.result, table.report) == ("cancelled", None, {})
    assert set(StoredFile.objects.values_list("pk", flat=True)) == before
    assert not spark.session.sparkContext.statusTracker().getActiveJobsIds()


@pytest.mark.slow
def test_a_store_that_the_machines_do_not_see_is_said(spark, started, monkeypatch):
    from projects.datasets.store import store

    run, job = started
    shared = store.SharedFile
    monkeypatch.setattr(store, "SharedFile", lambda path, *more: shared(f"/elsewhere{path}", *more))
    ended = job_run(job.pk)
    assert (ended.status, ended.error_code) == ("failed", "store.unseen")
    run.refresh_from_db()
    assert run.status == "failed"
