"""Rows from before every project had a table are migrated on PostgreSQL, which alters no table with pending checks."""

from __future__ import annotations

import json

import pytest

from .portal import Portal

pytestmark = [pytest.mark.slow, pytest.mark.services]

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
ONE = {"recipe": 1, "tables": [{"name": "", "recipe": {"steps": [1]}}], "references": []}
TWO = {
    "recipe": 1,
    "tables": [
        {"name": "patients", "recipe": {"steps": [2]}},
        {"name": "visits", "recipe": {"steps": [3]}},
    ],
    "references": [{"from": ["visits", "a"]}],
}


def test_projects_with_one_table_and_with_several_are_migrated_and_back(postgres, tmp_path):
    portal = Portal(tmp_path, postgres=postgres, database=postgres.database("old_rows"))
    before = (("datasets", "0002_tables"), ("processing", "0007_mapping_per_table"))
    for app, name in before:
        portal.run("manage.py", "migrate", app, name)
    portal.run("-c", ROWS)
    rows = (
        "SELECT p.number, t.name, t.position FROM datasets_dataset d JOIN core_project p ON p.id = d.project_id "
        "LEFT JOIN datasets_table t ON t.id = d.table_id ORDER BY 1, 3 NULLS FIRST"
    )
    portal.run("manage.py", "migrate")
    assert portal.query(rows) == [
        ("2026-0001", "data", 0),
        ("2026-0002", "patients", 0),
        ("2026-0002", "visits", 1),
    ]
    contents = portal.query("SELECT content FROM processing_recipeversion ORDER BY project_id IN "
                            "(SELECT id FROM core_project WHERE number = '2026-0002')")  # fmt: skip
    assert [one if isinstance(one, dict) else json.loads(one) for (one,) in contents] == [ONE, TWO]
    for app, name in reversed(before):
        portal.run("manage.py", "migrate", app, name)
    assert portal.query(rows) == [
        ("2026-0001", None, None),
        ("2026-0002", None, None),
        ("2026-0002", "visits", 1),
    ]
