"""A released project whose recipient may ask: a budget of ε = 1 for the data set, 0.5 of it for the recipient."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import pytest

from projects.queries.selectors import sources_of
from projects.queries.services import grant_decide, grant_propose
from projects.releases.models import Release
from projects.workflow import State
from tests.projects.processing.conftest import SmallStory, make_csv


def released(people, kind=SmallStory):
    story = kind(vars(people), "Visits for a study", make_csv(), file_name="visits.csv", documents=False)
    story.reach(State.MONITORING)
    return story


def granted(people, release, dataset, epsilon, recipient=None, **counting):
    grant = grant_propose(
        release.project,
        dataset=dataset,
        recipient=recipient,
        epsilon=Decimal(epsilon),
        reason="for the study",
        by=people.planner,
        **counting,
    )
    return grant_decide(grant, approve=True, reason="it is small", by=people.supervisor)


@pytest.fixture
def asking(own_start):
    """The release before any budget."""
    story, people = own_start.story, own_start.people
    release = Release.objects.select_related("project").get(project=story.project)
    (dataset,) = sources_of(release.run_id).values()
    return SimpleNamespace(
        story=story, people=people, release=release, project=release.project, dataset=dataset
    )


@pytest.fixture
def opened(asking):
    granted(asking.people, asking.release, asking.dataset, "1", exhaustion="ask")
    granted(asking.people, asking.release, asking.dataset, "0.5", asking.people.recipient)
    return asking
