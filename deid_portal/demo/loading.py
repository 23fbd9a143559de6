"""The demo's projects: one at each stage, and one carried through everything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.documents.letterhead import Logo
from deid_portal.accounts.models import User
from deid_portal.organisation.letterhead.versions import letterhead_set
from projects.core.models import Project
from projects.objective.targets.content import Preparation
from projects.verification.services import verification_start
from projects.workflow import State

from . import accounts, grading, masking, notice, purposes
from .events import DEMO_STARTED
from .following import follow_up
from .story import Story

# Of fewer, too many do not meet the demo's targets.
LEAST_ROWS = 4_000


def is_loaded() -> bool:
    return Project.objects.exists()


def is_in_use() -> bool:
    """Somebody has an account in this database; it may be one of an earlier version."""
    return User._meta.db_table in connection.introspection.table_names() and User.objects.exists()


def is_demo() -> bool:
    """The log says that this command made the database, SQLite's in the data folder."""
    if AuditEvent._meta.db_table not in connection.introspection.table_names():
        return False
    within = (
        Path(str(connection.settings_dict["NAME"])).resolve().is_relative_to(Path(settings.VAR_DIR).resolve())
    )
    marked = AuditEvent.objects.filter(action=DEMO_STARTED).exists()
    return connection.vendor == "sqlite" and within and marked


LETTERHEAD: dict[str, Any] = {
    "name": "示例市第一人民医院",
    "name_en": "Sample City First Hospital",
    "logo": Logo(
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#b3121b"/>'
        b'<path d="M27 14h10v13h13v10H37v13H27V37H14V27h13z" fill="#fff"/></svg>',
        "image/svg+xml",
    ),
}
# What the demo's project at each stage is for.
STAGE_PURPOSES = (
    (State.OBJECTIVE_DRAFT, purposes.WORK),
    (State.PLAN_APPROVAL, purposes.CHRONIC),
    (State.IDENTIFICATION, purposes.PEAKS),
    (State.PROCESSING, purposes.CARE),
    (State.VERIFICATION, purposes.COSTS),
    (State.RELEASE_APPROVAL, purposes.INFLUENZA),
    (State.MONITORING, purposes.REGION),
)


def load(*, rows: int, say: Callable[[str], Any]) -> None:
    """One project at each stage, and the last one carried through everything and fetched."""
    if not is_demo():
        with recording(DEMO_STARTED, by=None):
            pass
    people = accounts.ensure_people()
    letterhead_set(**LETTERHEAD, by=people["admin"])
    for state, purpose in STAGE_PURPOSES:
        document = notice.notice_of(purpose.source)
        papers = state == State.MONITORING
        # The external assessor has an order for that project alone.
        team = people if papers else {role: one for role, one in people.items() if role != "assessor"}
        story = Story(
            team,
            purpose.title,
            purpose.source.csv(rows),
            documents=papers,
            notice=document,
            purpose=purpose,
            preparation=Preparation(steps=[], explanation=purpose.source.unprepared()),
            need=purpose.need(),
        )
        story.reach(state)
        if state == State.OBJECTIVE_DRAFT:
            story.raise_need(purpose.need())
        if state == State.IDENTIFICATION:
            story.upload()
            story.scan()
        elif state == State.PROCESSING:
            story.write_recipe()
        elif state == State.VERIFICATION:
            verification_start(story.project, by=people["executor"])
            story.run_jobs()
        elif state == State.MONITORING:
            story.fetch()
            story.look_back()
            follow_up(story.project, people)
        say(f"  {story.project.number} {purpose.title} · {story.project.get_state_display()}")
    masking.agree(people)
    grading.agree(people)
