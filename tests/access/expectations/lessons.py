"""Looks back: the planning manager and the supervisor record them after the release; trends are for whoever sees a project."""

from projects.workflow import State

from ..checkpoints import at
from ..language import Table, acts, reads
from ..roles import KNOW_OTHER, SEES, SIGNED_IN

WALKED = at("identification", "monitoring", "closed")
REVIEWERS = frozenset({"planner", "supervisor"})
LESSON = dict.fromkeys(("risk", "usefulness", "efficiency", "went_well", "to_change"), "As it should be.")


def _lesson(world):
    return LESSON | {"owner": str(world.people.executor.pk)}


def _lesson_api(world):
    return LESSON | {"owner": "executor"}


def records(body):
    return acts((REVIEWERS, at(State.MONITORING, State.CLOSED)), body=body, walked=WALKED)


# At the end both projects have one.
TRENDS = reads(SIGNED_IN, names=SEES, names_other=KNOW_OTHER)
TABLE: Table = {
    "lessons:page": {"GET": reads(walked=WALKED), "POST": records(_lesson)},
    "trends:page": {"GET": TRENDS},
    "api:lessons": {"GET": reads(walked=WALKED), "POST": records(_lesson_api)},
    "api:trends": {"GET": TRENDS},
}
