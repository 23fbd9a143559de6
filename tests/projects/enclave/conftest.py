"""A release in an enclave of 300 persons, whose recipient has confirmed the data-use notice."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pyarrow.csv
import pyarrow.parquet
import pytest

from projects.core.enums import SharingType
from projects.enclave.services import query_ask
from projects.releases.deliveries.services import delivery_request
from projects.releases.models import Release
from projects.workflow import State
from tests.projects.processing.conftest import SmallStory, make_csv

ENGLISH = {"accept-language": "en"}


class EnclaveStory(SmallStory):
    sharing = SharingType.ENCLAVE


def released(story):
    story.reach(State.MONITORING)
    return story


def in_an_enclave(people):
    return released(
        EnclaveStory(vars(people), "Visits inside", make_csv(), file_name="visits.csv", documents=False)
    )


def in_parquet(people):
    content = io.BytesIO()
    texts = pyarrow.csv.ConvertOptions(column_types={"费用": pyarrow.string(), "出生日期": pyarrow.string()})
    table = pyarrow.csv.read_csv(io.BytesIO(make_csv()), convert_options=texts)
    pyarrow.parquet.write_table(table, content)
    story = EnclaveStory(
        vars(people), "Visits inside", content.getvalue(), file_name="visits.parquet", documents=False
    )
    return released(story)


def inside(story, people):
    """The release, and the notice confirmed."""
    release = Release.objects.select_related("project").get(project=story.project)
    delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    return SimpleNamespace(story=story, people=people, release=release, project=release.project)


@pytest.fixture
def enclave(own_start):
    return inside(own_start.story, own_start.people)


def query(enclave, statement, *, by=None, run=True, purpose=""):
    made = query_ask(enclave.release, statement=statement, purpose=purpose, by=by or enclave.people.recipient)
    if run:
        enclave.story.run_jobs()
        made.refresh_from_db()
    return made
