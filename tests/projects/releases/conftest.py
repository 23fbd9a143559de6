"""Projects that are approved or released, reached through the services alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from projects.releases.selectors import current_release
from projects.workflow import State
from tests.projects.releases import stories


@pytest.fixture(autouse=True)
def deliver_at_once(monkeypatch):
    """A test's transaction is never committed: who is told of a broken seal on its commit is told at once."""
    at_once = SimpleNamespace(on_commit=lambda act: act())
    monkeypatch.setattr("projects.core.services.transaction", at_once)


@pytest.fixture
def approved(story_at):
    """Approved, neither agreement nor release yet."""
    return story_at(State.APPROVED, stories.approved)


@pytest.fixture
def released(story_at):
    """Released to the recipient under an agreement."""
    return story_at(State.MONITORING, stories.released)


@pytest.fixture
def release(released):
    return current_release(released.project)
