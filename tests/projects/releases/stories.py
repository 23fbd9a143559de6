"""The demo's story with the people of the tests: how these tests reach a state."""

from __future__ import annotations

from deid_portal.demo.story import Story, csv_bytes
from projects.core.enums import SharingType
from projects.datasets.models import StoredFile
from projects.releases.models import Release
from projects.workflow import State

ROWS = 1200
_data: list[bytes] = []


def data() -> bytes:
    if not _data:
        _data.append(csv_bytes(ROWS))
    return _data[0]


def make_story(people, title: str = "Visits for a study", content: bytes | None = None) -> Story:
    return Story(vars(people), title, content or data(), documents=False)


class PublicStory(Story):
    """Data for everybody; of fewer rows no result reaches what is asked of them."""

    sharing = SharingType.PUBLIC


PUBLIC_ROWS = 4000


def released_publicly(people) -> Story:
    story = PublicStory(vars(people), "Visits for everybody", csv_bytes(PUBLIC_ROWS), documents=False)
    story.reach(State.MONITORING)
    return story


def reach(people, state: State, title: str = "Visits for a study") -> Story:
    story = make_story(people, title)
    story.reach(state)
    return story


def approved(people) -> Story:
    return reach(people, State.APPROVED)


def released(people) -> Story:
    return reach(people, State.MONITORING)


__all__ = ["SharingType", "approved", "make_story", "reach", "released", "released_publicly"]


def stored_of(release: Release) -> StoredFile:
    """The stored file of the first table."""
    return StoredFile.objects.get(pk=release.files[0]["stored"])
