"""One table is a list of one: with the form of several, and the hash that it has by itself."""

from __future__ import annotations

import pytest

from deid_portal.organisation.services import ensure_defaults
from projects.datasets.tables.names import label_of, named_tables, titled
from projects.datasets.tables.selectors import first_table, tables_of
from projects.datasets.tables.services import tables_declare
from projects.identification.selectors import (
    canonical_hash,
    current_round,
    hash_of,
    verdicts_hash,
    verdicts_in,
)
from projects.processing.models import RecipeVersion
from projects.processing.recipes.selectors import (
    current_recipe,
    current_sources,
    without_recipe,
)
from projects.processing.recipes.sets import (
    content_of,
    set_checked,
)
from projects.workflow import Move, State
from techniques.core.canonical import set_hash
from techniques.recipe.recipe import Recipe
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield SmallStory(people)


def test_a_set_of_one_has_the_hash_of_its_one():
    whole = canonical_hash([["a", "abc"], ["b", "def"]])
    assert set_hash(["abc"], [], whole) == "abc"
    assert set_hash(["abc", "def"], [], whole) == whole
    assert set_hash(["abc"], ["a.x → b.y"], whole) == whole


def test_a_project_has_a_table_without_a_name_from_its_beginning(project):
    (table,) = tables_of(project)
    assert table.is_first
    assert named_tables(project) == []
    assert label_of(table) == ""
    assert titled(label_of(table), "missing") == "missing"


def test_verdicts_and_recipe_of_one_table_have_its_hashes(story, people):
    project = story.reach(State.PROCESSING)
    story.write_recipe()
    round_ = current_round(project)
    assert verdicts_hash(project) == hash_of(round_, verdicts_in(round_))
    version = current_recipe(project)
    assert list(version.tables) == [""]
    assert version.references == []
    assert content_of(version) == version.tables[""]
    assert version.content_hash == Recipe.from_data(version.tables[""]).content_hash()
    assert version.as_set().tables[""] == Recipe.from_data(version.tables[""])


def test_the_first_table_keeps_its_recipe_when_the_tables_are_named(story, people):
    from projects.core.services import project_move

    project = story.reach(State.PROCESSING)
    story.write_recipe()
    version = current_recipe(project)
    project_move(
        project, move=Move.BACK_TO_IDENTIFICATION, by=people.executor, reason="there is another table"
    )
    project.refresh_from_db()
    patients, visits = tables_declare(project, names=["patients", "visits"], by=people.executor)
    assert patients == first_table(project)
    assert [label_of(table) for table in named_tables(project)] == ["patients", "visits"]
    assert titled(label_of(visits), "missing") == "visits：missing"
    assert version.part_of(patients) == version.tables[""]
    assert version.part_of(visits) is None
    (only,) = tables_declare(project, names=[], by=people.executor)
    assert only == patients
    assert label_of(only) == ""


def test_a_table_that_takes_over_the_name_of_the_first_does_not_take_its_recipe(story, people):
    from projects.core.services import project_move

    project = story.reach(State.PROCESSING)
    story.write_recipe()
    project_move(
        project, move=Move.BACK_TO_IDENTIFICATION, by=people.executor, reason="there is another table"
    )
    project.refresh_from_db()
    first, other = tables_declare(project, names=["patients", "visits"], by=people.executor)
    content = {"recipe": 1, "tables": [{"name": "patients", "recipe": {"recipe": 1, "steps": []}}]}
    version = RecipeVersion(project=project, content=content)
    first, other = tables_declare(project, names=["visits", "patients"], by=people.executor)
    assert version.part_of(first) == version.tables["patients"]
    assert version.part_of(other) is None


def test_the_first_recipe_of_several_has_the_hash_of_a_set(story, people):
    from projects.core.services import project_move

    project = story.reach(State.PROCESSING)
    story.write_recipe()
    version = current_recipe(project)
    project_move(
        project, move=Move.BACK_TO_IDENTIFICATION, by=people.executor, reason="there is another table"
    )
    project.refresh_from_db()
    patients, _visits = tables_declare(project, names=["patients", "visits"], by=people.executor)
    _version, sources = current_sources(project)
    assert without_recipe(sources) == ["visits"]
    kept, content_hash = set_checked(patients, version.tables[""], sources)
    assert [one["name"] for one in kept["tables"]] == ["patients"]
    # As the versions have it that were saved before a single table was a set.
    assert content_hash == canonical_hash([[["patients", version.content_hash]], []])
    assert content_hash != version.content_hash
