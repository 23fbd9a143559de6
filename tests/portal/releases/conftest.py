"""Projects that are approved or released, reached through the services alone."""

from __future__ import annotations

import pytest

from projects.releases.selectors import current_release
from projects.workflow import State
from tests.portal.releases.stories import reach


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.DEID_STORE_DIR = tmp_path / "store"
    return settings.DEID_STORE_DIR


@pytest.fixture
def approved(people):
    """Approved, neither agreement nor release yet."""
    return reach(people, State.APPROVED)


@pytest.fixture
def released(people):
    """Released to the recipient under an agreement."""
    return reach(people, State.MONITORING)


@pytest.fixture
def release(released):
    return current_release(released.project)
