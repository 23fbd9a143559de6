"""What was public may be used for ever: its re-assessments do not end, whoever has stated what."""

from __future__ import annotations

import pytest
import time_machine
from django.utils import timezone

from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.deadlines import months_later
from projects.monitoring.afterwards.enums import LaterOutcome
from projects.monitoring.afterwards.presentation import out_texts
from projects.monitoring.afterwards.selectors import interval_of, out_of
from projects.monitoring.afterwards.services import later_end_all, later_open, later_open_due
from projects.monitoring.models import LaterReassessment
from projects.releases.deliveries.copies.selectors import with_copies_out
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import PublicationDownloads, Release
from projects.workflow import State
from tests.projects.monitoring.afterwards.steps import concluded, first_due, handed_to
from tests.projects.releases import stories
from tests.projects.releases.deliveries.publications.test_publications import published
from tests.projects.rows import change, refused

pytestmark = pytest.mark.django_db


def START(people):
    """Published, fetched by somebody three times, and closed."""
    story = stories.released_publicly(people)
    publication = published(story, people)
    PublicationDownloads.objects.create(publication=publication, day=timezone.localdate(), file=0, count=3)
    story.close()
    run_jobs(documents=False)
    story.project.refresh_from_db()
    return story


@pytest.fixture
def release(story_at):
    story = story_at(State.CLOSED, START)
    return Release.objects.select_related("project", "released_by").get(project=story.project)


def test_it_does_not_end_by_itself_when_the_last_known_copy_is_destroyed(release, people):
    holder = people.recipient
    handed_to(release, holder)
    later = later_open(release, by=people.supervisor)
    copy_state(release, how="Disk wiped", by=holder)
    assert later_end_all() == 0
    later.refresh_from_db()
    assert (later.outcome, out_of(release).copies, out_of(release).stated) == ("", [], 1)
    with refused("ends by itself when no copy is out any more and no target was missed"):
        change(later, outcome="ended", reason="so", found={"copies": []}, concluded_at=timezone.now())


def test_it_never_ends_and_nobody_can_be_asked(release, people):
    now = first_due(release)
    for _round in range(3):
        with time_machine.travel(now, tick=False):
            assert later_open_due() == 1
            run_jobs(documents=False)
            later = LaterReassessment.objects.get(concluded_at=None)
            with pytest.raises(Refused) as error:
                concluded(later, people, LaterOutcome.RECALL)
            assert error.value.verdict.code == "nobody_to_ask"
            found = concluded(later, people).found
        now = months_later(now, interval_of(release.project))
    assert (found["public"], found["fetched"], found["copies"]) == (True, 3, [])
    assert any("3" in one for one in out_texts(found))
    assert list(with_copies_out(Release.objects.all())) == [release]
    assert out_of(release)
