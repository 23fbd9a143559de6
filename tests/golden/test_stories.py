"""The demo's stories and two that fail: all rows that their projects leave, compared by kind of object.

Known keys and seeds make the results of a story the same bytes each time, and a clock that begins at a known day the
same plans; the files of the store have keys of their own as ever.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.demo import notice
from deid_portal.demo.loading import STAGE_PURPOSES
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.services import ensure_defaults
from projects.vault import services as vault
from projects.verification.services import verification_start
from projects.workflow import State
from tests.fixtures import make_people
from tests.projects.datasets.tables.stories import HASH, JointStory, joint_recipe, patients_csv
from tests.projects.reversal.test_several_tables import with_names
from tests.projects.verification.remedies.test_remedies import weak
from tests.projects.verification.stories import SmallStory

from .keeping import HERE, WRITING, compare, without
from .placeholders import HASH as HASHES
from .placeholders import Placeholders
from .rows import rows_of

pytestmark = pytest.mark.django_db
ROWS = 1200
STARTED = datetime(2026, 1, 15, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def begin(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Callable[..., None]:
    """Called, it begins a story: the secrets of projects are known ones in the order of their making, and each look
    at the clock is ``pace`` milliseconds after the one before."""
    settings.DEID_STORE_DIR = tmp_path / "store"
    settings.DEID_STORE_DIR.mkdir()

    def begin(pace: int = 1) -> None:
        secrets, readings = count(), count()
        monkeypatch.setattr(
            vault, "key_new", lambda: hashlib.sha256(f"key {next(secrets)}".encode()).digest()
        )
        monkeypatch.setattr(timezone, "now", lambda: STARTED + timedelta(milliseconds=pace * next(readings)))

    return begin


@pytest.fixture
def people(db: None, begin: Callable[..., None]) -> SimpleNamespace:
    """People who were appointed on the day that the stories begin."""
    begin()
    return make_people()


# Titles as the stories were first kept with; what they are for is the purpose that a story has by itself.
TITLES = {
    State.OBJECTIVE_DRAFT: "体检数据用于健康城市研究",
    State.PLAN_APPROVAL: "慢病随访数据提供疾控中心",
    State.IDENTIFICATION: "急诊就诊记录用于应急研究",
    State.PROCESSING: "门诊处方数据用于合理用药评价",
    State.VERIFICATION: "住院费用数据用于支付方式研究",
    State.RELEASE_APPROVAL: "儿科就诊记录用于流感监测",
    State.MONITORING: "门诊就诊记录用于区域疾病谱研究",
}


def stand(state: State) -> Callable[[SimpleNamespace], Story]:
    """The project of the demo that stands at ``state``."""

    def tell(people: SimpleNamespace) -> Story:
        document = (notice.FILE_NAME, notice.CONTENT)
        story = Story(vars(people), TITLES[state], csv_bytes(ROWS), documents=False, notice=document)
        story.reach(state)
        if state == State.IDENTIFICATION:
            story.upload()
            story.scan()
        elif state == State.PROCESSING:
            story.write_recipe()
        elif state == State.VERIFICATION:
            verification_start(story.project, by=people.executor)
            story.run_jobs()
        elif state == State.MONITORING:
            story.fetch()
            story.look_back()
        return story

    return tell


def several_tables(people: SimpleNamespace) -> Story:
    """Two tables with a link, one column by assigned pseudonyms, released, fetched and looked back at."""
    story = JointStory(vars(people), "Patients and visits", patients_csv(), documents=False)
    story.recipe = with_names(HASH)
    story.reach(State.MONITORING)
    story.fetch()
    story.look_back()
    return story


def failing(people: SimpleNamespace) -> Story:
    """The gate stays shut: what would open it stands in the report."""
    story = SmallStory(people, change=weak)
    story.reach(State.VERIFICATION)
    story.measure()
    return story


def failing_tables(people: SimpleNamespace) -> Story:
    """The same with two tables, whose joined view is too fine."""
    story = JointStory(vars(people), "Patients and visits", patients_csv(), documents=False)
    story.recipe = copy.deepcopy(joint_recipe())
    story.recipe["tables"]["就诊"]["steps"][1]["parameters"]["unit"] = "month"
    story.reach(State.VERIFICATION)
    verification_start(story.project, by=people.executor)
    story.run_jobs()
    return story


STORIES: dict[str, Callable[[SimpleNamespace], Story]] = {
    **{state.value: stand(state) for state, _purpose in STAGE_PURPOSES},
    "several_tables": several_tables,
    "failing": failing,
    "failing_tables": failing_tables,
}


def rows_left(tell: Callable[[SimpleNamespace], Story], people: SimpleNamespace) -> dict[str, Any]:
    story = tell(people)
    story.project.refresh_from_db()
    return rows_of(story.project)


def same(name: str, rows: dict[str, Any], literal: set[str]) -> None:
    """Compare each kind of object with its own file."""
    placeholders = Placeholders(literal)
    # Left out: durations, versions of libraries, clauses (see README).
    rows = without(rows, "seconds", "search_seconds", "versions", "clause", "clauses")
    faults = []
    for kind, found in rows.items():
        try:
            compare(f"stories/{name}/{kind}.json", placeholders(found, kind))
        except pytest.fail.Exception as fault:
            faults.append(str(fault))
    kept = {path.stem for path in (HERE / "stories" / name).iterdir()}
    faults += [f"{name} has no {kind} any more" for kind in sorted(kept - set(rows))]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


@pytest.mark.parametrize("name", STORIES)
def test_the_rows_are_the_same(name: str, people: SimpleNamespace, begin: Callable[..., None]) -> None:
    ensure_defaults()
    tell = STORIES[name]
    begin()
    rows = rows_left(tell, people)
    if WRITING:
        # What is the same when the story is told again by a slower clock covers no moment and nothing random.
        begin(pace=2)
        again = rows_left(tell, people)
        literal = set(HASHES.findall(json.dumps(rows))) & set(HASHES.findall(json.dumps(again)))
    else:
        kept = (path.read_text(encoding="utf-8") for path in (HERE / "stories" / name).iterdir())
        literal = {found for text in kept for found in HASHES.findall(text)}
    same(name, rows, literal)
