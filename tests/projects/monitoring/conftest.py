"""Projects at the states that monitoring is about, reached through the services alone."""

from __future__ import annotations

import pytest

from projects.workflow import State
from tests.projects.releases import stories


@pytest.fixture
def reviewed(people):
    """Under review of the target."""
    return stories.reach(people, State.OBJECTIVE_REVIEW).project


@pytest.fixture
def monitored(story_at):
    """Released and monitored."""
    return story_at(State.MONITORING, stories.released)
