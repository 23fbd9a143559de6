"""The seal says what was handed out, and for which project."""

from __future__ import annotations

import uuid
from importlib import import_module

import pytest
from django.apps import apps

from approvals.audit.recording import recording
from projects.releases import events
from projects.releases.models import Release
from projects.releases.seal import SEALED, seal_matches, seal_of
from tests.portal.releases import stories

START = stories.released


def sealed(**fields):
    release = Release(
        project_id=uuid.uuid4(),
        run_id=uuid.uuid4(),
        signoff_id=uuid.uuid4(),
        file_name="P-1.csv",
        rows=100,
        result_sha256="a" * 64,
        recipe_hash="b" * 64,
        verification_hash="c" * 64,
        **fields,
    )
    release.seal = seal_of(release)
    return release


def test_what_another_release_was_sealed_with_does_not_pass():
    mine, other = sealed(), sealed()
    assert seal_matches(mine)
    assert mine.seal != other.seal
    for name in ("result_sha256", "recipe_hash", "verification_hash", "seal"):
        setattr(mine, name, getattr(other, name))
    assert not seal_matches(mine)


@pytest.mark.parametrize("name", SEALED)
def test_every_sealed_field_counts(name):
    release = sealed()
    setattr(release, name, {"rows": 101}.get(name, uuid.uuid4()))
    assert not seal_matches(release)


def test_what_the_recipient_is_told_counts():
    release = sealed(notice={"rows_in": 120, "rows_out": 100, "steps": []})
    assert seal_matches(release)
    for notice in ({}, {"rows_in": 100, "rows_out": 100, "steps": []}):
        release.notice = notice
        assert not seal_matches(release)


def test_a_seal_from_before_the_notice_was_sealed_still_passes():
    anew = import_module("projects.releases.migrations.0002_seal_binds_release")
    release = sealed(notice={"rows_in": 120})
    release.seal = anew.later_seal(release)
    assert seal_matches(release)
    release.rows += 1
    assert not seal_matches(release)


def test_the_notice_of_a_release_as_the_database_gives_it_back(release):
    assert release.notice["steps"]
    assert seal_matches(Release.objects.get(pk=release.pk))
    with recording(events.RELEASE_ENDED, by=None):
        Release.objects.filter(pk=release.pk).update(notice=release.notice | {"steps": []})
    assert not seal_matches(Release.objects.get(pk=release.pk))


def test_a_seal_that_is_no_seal_does_not_pass():
    release = sealed()
    release.seal = "封" * 8
    assert not seal_matches(release)


def test_earlier_seals_are_made_anew_and_broken_ones_stay_broken(release):
    anew = import_module("projects.releases.migrations.0002_seal_binds_release")
    with recording(events.RELEASE_ENDED, by=None):
        Release.objects.filter(pk=release.pk).update(seal=anew.earlier_seal(release))
        release.refresh_from_db()
        assert not seal_matches(release)
        anew.seal_anew(apps, None)
        release.refresh_from_db()
        assert seal_matches(release)
        Release.objects.filter(pk=release.pk).update(seal="f" * 64)
        anew.seal_anew(apps, None)
        release.refresh_from_db()
        assert not seal_matches(release)
