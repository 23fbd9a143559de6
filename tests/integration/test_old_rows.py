"""Rows from before every project had a table are migrated: on SQLite, and on PostgreSQL, which alters no table with
pending checks."""

from __future__ import annotations

import json

import pytest

from .portal import Portal

pytestmark = pytest.mark.slow

ROWS = """
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
state = [("datasets", "0002_tables"), ("processing", "0007_mapping_per_table")]
apps = MigrationExecutor(connection).loader.project_state(state).apps
made = lambda label, **values: apps.get_model(label).objects.create(**values)
user = made("accounts.User", username="old")
projects = [made("core.Project", title="t", number=n, created_by=user) for n in ("2026-0001", "2026-0002")]
main = made("datasets.Table", project=projects[1], name="patients", position=0, is_main=True, declared_by=user)
further = made("datasets.Table", project=projects[1], name="visits", position=1, declared_by=user)
for project, table in ((projects[0], None), (projects[1], None), (projects[1], further)):
    stored = made("datasets.StoredFile", purpose="dataset", size=1, sha256="0" * 64, wrapped_key=b"k")
    made("datasets.Dataset", project=project, table=table, name="t.csv", stored=stored, size=1, sha256="0" * 64,
         uploaded_by=user)
common = {"number": 1, "content_hash": "0" * 64, "verdicts_hash": "0" * 64, "created_by": user}
made("processing.RecipeVersion", project=projects[0], content={"steps": [1]}, **common)
joint = {"main": "patients", "tables": {"visits": {"steps": [3]}}, "references": [{"from": ["visits", "a"]}]}
made("processing.RecipeVersion", project=projects[1], content={"steps": [2]}, joint=joint, **common)
"""
# What came about after the migration: a second table with a link, and both taken out again.
LATER = """
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
apps = MigrationExecutor(connection).loader.project_state([("datasets", "0004_table_of_each_data_set")]).apps
Table = apps.get_model("datasets.Table")
first = Table.objects.get(project__number="2026-0001")
gone = {"project": first.project, "declared_by": first.declared_by, "removed_at": timezone.now()}
other = Table.objects.create(name="visits", position=1, **gone)
link = apps.get_model("datasets.TableLink").objects
link.create(source=other, source_column="a", target=first, target_column="b", **gone)
"""
# From before a run had a row for its first table, and a release its first file in the list of all.
RAN = """
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
state = [("datasets", "0004_table_of_each_data_set"), ("processing", "0009_one_content"), ("releases", "0004_tables"), ("vault", "0002_two_persons")]
apps = MigrationExecutor(connection).loader.project_state(state).apps
made = lambda label, **values: apps.get_model(label).objects.create(**values)
user = made("accounts.User", username="older")
project = made("core.Project", title="t", number="2026-0003", created_by=user)
common = {"project": project, "declared_by": user}
tables = [made("datasets.Table", name=n, position=p, **common) for p, n in enumerate(("patients", "visits"))]
stored = lambda: made("datasets.StoredFile", purpose="result", size=7, sha256="1" * 64, wrapped_key=b"k")
datasets = [
    made("datasets.Dataset", project=project, table=t, name="t.csv", stored=stored(), size=7, sha256="0" * 64, uploaded_by=user)
    for t in tables
]
content = {"recipe": 1, "tables": [{"name": "patients", "recipe": {}}, {"name": "visits", "recipe": {}}], "references": []}
version = made("processing.RecipeVersion", project=project, number=1, content=content, content_hash="0" * 64,
               verdicts_hash="0" * 64, created_by=user)
secret = made("vault.Secret", project=project, purpose="p", wrapped_key=b"k")
wrote = lambda rows: {"result": stored(), "result_format": {"kind": "csv"}, "result_sha256": "1" * 64, "result_rows": rows,
                      "report": {"rows_in": rows}, "notice": {"rows_out": rows}}
for number, status in enumerate(("failed", "succeeded"), start=1):
    run = made("processing.Run", project=project, recipe_version=version, number=number, key=secret, seed=secret,
               started_by=user, dataset=datasets[0], status="running")
    made("processing.RunTable", run=run, table=tables[1], name="visits", dataset=datasets[1],
         **(wrote(5) if status == "succeeded" else {}))
    for field, value in (wrote(3) if status == "succeeded" else {}).items():
        setattr(run, field, value)
    run.status = status
    run.save()
other = {"table": "visits", "file_name": "2026-0003-visits.csv", "stored": str(run.further.get().result_id), "sha256": "1" * 64,
         "size": 7, "rows": 5, "notice": {}}
made("releases.Release", project=project, result=run.result, file_name="2026-0003.csv", run_id=run.pk, signoff_id=run.pk,
     result_sha256="1" * 64, recipe_hash="2" * 64, verification_hash="3" * 64, seal="4" * 64, rows=3,
     notice={"rows_out": 3}, main_table="patients", files=[other], released_by=user)
"""
ONE = {"recipe": 1, "tables": [{"name": "", "recipe": {"steps": [1]}}], "references": []}
TWO = {
    "recipe": 1,
    "tables": [
        {"name": "patients", "recipe": {"steps": [2]}},
        {"name": "visits", "recipe": {"steps": [3]}},
    ],
    "references": [{"from": ["visits", "a"]}],
}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def portal(request, tmp_path):
    if request.param == "sqlite":
        return Portal(tmp_path)
    postgres = request.getfixturevalue("postgres")
    return Portal(tmp_path, postgres=postgres, database=postgres.database(request.function.__name__[:50]))


def one_process(portal, *steps):
    """Carry out programs and migrations, each to (app, name) or with () to the newest, in one process of the portal."""
    lines = ["import django; django.setup()", "from django.core.management import call_command"]
    for step in steps:
        lines.append(step if isinstance(step, str) else f"call_command('migrate', *{step!r}, verbosity=0)")
    portal.run("-c", "\n".join(lines))


FIRST = (("datasets", "0002_tables"), ("processing", "0007_mapping_per_table"))
THEN = (
    ("datasets", "0004_table_of_each_data_set"),
    ("processing", "0009_one_content"),
    ("releases", "0004_tables"),
)
OLD = ("2026-0001", "2026-0002")


def test_old_projects_are_migrated_and_back_and_with_what_was_released_since(portal):
    """There, back, and there again, where on the second way something is run and released: each way takes seconds."""
    one_process(portal, *FIRST, ROWS, ())
    each_project_has_its_tables(portal)
    one_process(portal, LATER, *reversed(FIRST))
    what_was_opened_is_gone(portal)
    one_process(portal, *THEN, RAN, ())
    what_was_taken_out_stays_so(portal)
    what_was_run_and_released_has_a_row_and_a_place_for_every_table(portal)


def tables(portal):
    """Each data set with its project and its table."""
    rows = portal.query(
        "SELECT p.number, t.name, t.position FROM datasets_dataset d JOIN core_project p ON p.id = d.project_id "
        "LEFT JOIN datasets_table t ON t.id = d.table_id ORDER BY 1, 3 NULLS FIRST"
    )
    return [row for row in rows if row[0] in OLD]


def each_project_has_its_tables(portal):
    assert tables(portal) == [
        ("2026-0001", "data", 0),
        ("2026-0002", "patients", 0),
        ("2026-0002", "visits", 1),
    ]
    contents = portal.query("SELECT content FROM processing_recipeversion ORDER BY project_id IN "
                            "(SELECT id FROM core_project WHERE number = '2026-0002')")  # fmt: skip
    assert [one if isinstance(one, dict) else json.loads(one) for (one,) in contents] == [ONE, TWO]
    opened = "SELECT COUNT(*) FROM datasets_table t JOIN core_project p ON p.id = t.project_id WHERE "
    assert portal.query(opened + "t.name = 'data' AND t.declared_at = p.created_at") == [(1,)]


def what_was_opened_is_gone(portal):
    assert tables(portal) == [
        ("2026-0001", None, None),
        ("2026-0002", None, None),
        ("2026-0002", "visits", 1),
    ]
    assert portal.query("SELECT name FROM datasets_table WHERE removed_at IS NULL AND is_main") == [
        ("patients",)
    ]


def what_was_taken_out_stays_so(portal):
    """What was taken out on the way back is not what the project has."""
    assert tables(portal)[0] == ("2026-0001", "data", 0)
    assert portal.query(
        "SELECT COUNT(*) FROM datasets_table t JOIN core_project p ON p.id = t.project_id "
        "WHERE t.removed_at IS NULL AND p.number <= '2026-0002'"
    ) == [(3,)]


def what_was_run_and_released_has_a_row_and_a_place_for_every_table(portal):
    assert portal.query(
        "SELECT r.number, w.name, t.name, w.result_rows, w.result_id IS NOT NULL FROM processing_runtable w "
        "JOIN processing_run r ON r.id = w.run_id JOIN datasets_table t ON t.id = w.table_id "
        "JOIN datasets_dataset d ON d.id = w.dataset_id AND d.table_id = t.id ORDER BY 1, 2"
    ) == [
        (1, "patients", "patients", None, False),
        (1, "visits", "visits", None, False),
        (2, "patients", "patients", 3, True),
        (2, "visits", "visits", 5, True),
    ]
    ((files,),) = portal.query("SELECT files FROM releases_release")
    first, second = files if isinstance(files, list) else json.loads(files)
    assert (first["table"], first["file_name"], first["rows"]) == ("patients", "2026-0003.csv", 3)
    assert (first["sha256"], first["size"], first["notice"]) == ("1" * 64, 7, {"rows_out": 3})
    ((stored,),) = portal.query(
        "SELECT result_id FROM processing_runtable WHERE name = 'patients' AND result_rows = 3"
    )
    assert first["stored"].replace("-", "") == str(stored).replace("-", "")
    assert (second["table"], second["rows"]) == ("visits", 5)
