"""An amendment by the people of a project, as far as is asked for."""

from __future__ import annotations

from projects.identification.enums import ColumnRole
from projects.monitoring.amendments.services import (
    amendment_decide,
    amendment_review,
    columns_propose,
    surroundings_propose,
    targets_propose,
)
from projects.monitoring.amendments.yardstick import yardstick_of
from projects.monitoring.models import Reassessment
from projects.objective.targets.risk import RiskTargets


def fresh(made):
    return Reassessment.objects.select_related("project", "release").get(pk=made.pk)


def targets(made, people, *, why="one guess in five was right elsewhere", **changed):
    now = yardstick_of(made.project).risk
    risk = RiskTargets(**now.model_dump(mode="json") | changed)
    return targets_propose(fresh(made), risk=risk, why=why, by=people.planner)


def surroundings(made, people, answers, *, why="the recipient moved to a shared network"):
    return surroundings_propose(fresh(made), answers=answers, why=why, by=people.planner)


def columns(made, people, *names, role=ColumnRole.QUASI, why="a register was published"):
    named = [("", name) for name in names]
    return columns_propose(fresh(made), columns=named, role=role, why=why, by=people.planner)


def review(amendment, people, **given):
    said = {
        "passed": True,
        "review": "it follows",
        "seen_hash": amendment.content_hash,
        "by": people.supervisor,
    }
    return amendment_review(amendment, **said | given)


def decide(amendment, people, **given):
    said = {"approve": True, "reason": "agreed", "seen_hash": amendment.content_hash, "by": people.management}
    return amendment_decide(amendment, **said | given)


def approved(amendment, people):
    return decide(review(amendment, people), people)
