"""The demo's projects: one at each stage, and one carried through everything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.verification.services import verification_start
from projects.workflow import State

from . import accounts, masking, notice
from .events import DEMO_STARTED
from .story import Story, csv_bytes

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


# The title of the demo's project at each stage.
STAGE_TITLES = (
    (State.OBJECTIVE_DRAFT, "体检数据用于健康城市研究"),
    (State.PLAN_APPROVAL, "慢病随访数据提供疾控中心"),
    (State.IDENTIFICATION, "急诊就诊记录用于应急研究"),
    (State.PROCESSING, "门诊处方数据用于合理用药评价"),
    (State.VERIFICATION, "住院费用数据用于支付方式研究"),
    (State.RELEASE_APPROVAL, "儿科就诊记录用于流感监测"),
    (State.MONITORING, "门诊就诊记录用于区域疾病谱研究"),
)


def load(*, rows: int, say: Callable[[str], Any]) -> None:
    """One project at each stage, and the last one carried through everything and fetched."""
    if not is_demo():
        with recording(DEMO_STARTED, by=None):
            pass
    people = accounts.ensure_people()
    data = csv_bytes(rows)
    for state, title in STAGE_TITLES:
        document = (notice.FILE_NAME, notice.CONTENT)
        story = Story(people, title, data, documents=state == State.MONITORING, notice=document)
        story.reach(state)
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
        say(f"  {story.project.number} {title} · {story.project.get_state_display()}")
    masking.agree(people)
