"""Projects before, at and after verification."""

from __future__ import annotations

import pytest

from projects.workflow import State
from tests.portal.verification.stories import SmallStory


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.DEID_STORE_DIR = tmp_path / "store"
    return settings.DEID_STORE_DIR


@pytest.fixture
def story(people):
    """In the state VERIFICATION, not measured yet."""
    found = SmallStory(people)
    found.reach(State.VERIFICATION)
    return found


@pytest.fixture
def waiting(people):
    """In the state RELEASE_APPROVAL: everything passed, senior management decides."""
    found = SmallStory(people)
    found.reach(State.RELEASE_APPROVAL)
    return found
