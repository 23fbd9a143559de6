"""The seal says what was handed out, and for which project."""

from __future__ import annotations

import uuid
from importlib import import_module
from types import SimpleNamespace

import pytest

from approvals.audit.recording import recording
from projects.releases import events
from projects.releases.models import Release
from projects.releases.seal import SEALED, seal_matches, seal_of
from tests.projects.releases import stories

START = stories.released


def sealed(**of_file):
    file = {
        "table": "",
        "file_name": "P-1.csv",
        "stored": "",
        "sha256": "a" * 64,
        "size": 1,
        "rows": 100,
        "notice": {},
    }
    release = Release(
        project_id=uuid.uuid4(),
        run_id=uuid.uuid4(),
        signoff_id=uuid.uuid4(),
        recipe_hash="b" * 64,
        verification_hash="c" * 64,
        files=[file | of_file],
    )
    release.seal = seal_of(release)
    return release


def as_it_was(release):
    """The row before there was a list of files."""
    (file,) = release.files
    moved = {"file_name": file["file_name"], "rows": file["rows"], "result_sha256": file["sha256"]}
    return SimpleNamespace(**moved, **{name: getattr(release, name) for name in SEALED})


def test_what_another_release_was_sealed_with_does_not_pass():
    mine, other = sealed(), sealed()
    assert seal_matches(mine)
    assert mine.seal != other.seal
    for name in ("files", "recipe_hash", "verification_hash", "seal"):
        setattr(mine, name, getattr(other, name))
    assert not seal_matches(mine)


@pytest.mark.parametrize("name", SEALED)
def test_every_sealed_field_counts(name):
    release = sealed()
    setattr(release, name, uuid.uuid4())
    assert not seal_matches(release)


@pytest.mark.parametrize(("name", "other"), [("file_name", "P-2.csv"), ("rows", 101), ("sha256", "d" * 64)])
def test_everything_that_is_said_of_a_file_counts(name, other):
    release = sealed()
    release.files[0][name] = other
    assert not seal_matches(release)


def test_what_the_recipient_is_told_counts():
    release = sealed(notice={"rows_in": 120, "rows_out": 100, "steps": []})
    assert seal_matches(release)
    for notice in ({}, {"rows_in": 100, "rows_out": 100, "steps": []}):
        release.files[0]["notice"] = notice
        assert not seal_matches(release)


def test_seals_from_before_there_was_a_list_of_files_still_pass():
    anew = import_module("projects.releases.migrations.0002_seal_binds_release")
    release = sealed(notice={"rows_in": 120})
    release.seal = anew.later_seal(as_it_was(release))
    assert seal_matches(release)
    release.files[0]["rows"] += 1
    assert not seal_matches(release)


def test_the_notice_of_a_release_as_the_database_gives_it_back(release):
    (file,) = release.files
    assert file["notice"]["steps"]
    assert seal_matches(Release.objects.get(pk=release.pk))
    with recording(events.RELEASE_ENDED, by=None):
        Release.objects.filter(pk=release.pk).update(
            files=[file | {"notice": file["notice"] | {"steps": []}}]
        )
    assert not seal_matches(Release.objects.get(pk=release.pk))


def test_a_seal_that_is_no_seal_does_not_pass():
    release = sealed()
    release.seal = "封" * 8
    assert not seal_matches(release)


def test_earlier_seals_are_made_anew_and_broken_ones_stay_broken():
    """Of the row as it was then; ``seal_matches`` asks the same of the row as it is now."""
    anew = import_module("projects.releases.migrations.0002_seal_binds_release")
    release = sealed()
    before, saved = as_it_was(release), []
    before.save = lambda update_fields: saved.append(before.seal)
    rows = SimpleNamespace(objects=SimpleNamespace(all=lambda: [before]))
    apps = SimpleNamespace(get_model=lambda app, model: rows)
    before.seal = anew.earlier_seal(before)
    anew.seal_anew(apps, None)
    (release.seal,) = saved
    assert seal_matches(release)
    before.seal = "f" * 64
    anew.seal_anew(apps, None)
    assert len(saved) == 1
