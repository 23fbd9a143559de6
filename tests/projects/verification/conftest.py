"""Projects before, at and after verification."""

from __future__ import annotations

import pytest

from projects.workflow import State

from . import stories


@pytest.fixture
def story(story_at):
    return story_at(State.VERIFICATION, stories.measurable)


@pytest.fixture
def waiting(story_at):
    return story_at(State.RELEASE_APPROVAL, stories.waiting)
