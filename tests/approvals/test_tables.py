"""The tables are those of the code: what a model says and what the migrations have made do not part."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.utils import translation


@pytest.mark.parametrize("label", ["audit", "decisions", "documents"])
def test_the_migrations_make_what_the_models_say(label: str) -> None:
    """A shorter column, a constraint less or another default would be written at the next ``makemigrations``."""
    graph = MigrationLoader(None).graph
    with translation.override(None):
        found = MigrationAutodetector(graph.make_state(), ProjectState.from_apps(apps)).changes(graph=graph)
    assert [str(one) for one in (found.get(label) or [])] == []


@pytest.mark.django_db
def test_every_constraint_of_the_code_stands_in_the_database() -> None:
    with connection.cursor() as cursor:
        for model in apps.get_models():
            if model._meta.app_label in ("audit", "decisions", "documents"):
                stored = connection.introspection.get_constraints(cursor, model._meta.db_table)
                assert {one.name for one in model._meta.constraints} <= stored.keys()
