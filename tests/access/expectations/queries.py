"""Budgets of answers and questions: the planning manager proposes, a judge grants, the recipient asks."""

from projects.workflow import State

from ..checkpoints import at, since
from ..language import Table, acts, reads
from .releases import receives

POSSIBLE = at(State.APPROVED, State.MONITORING)
# A budget is granted, another waits, and a question was answered.
THERE = since("monitoring")
WALKED = at("identification", "approved", "monitoring", "closed")
DECIDING = frozenset({"supervisor", "management"})
ASKABLE = at("monitoring")


def _budget(world):
    return {
        "table": "", "epsilon": "0.5", "composition": "sequential", "neighbours": "add_remove", "exhaustion": "ask",
        "reason": "for the study",
    }  # fmt: skip


def _decision(world):
    return {"decision": "approve", "approve": True, "reason": "it is small"}


def _question(world):
    return {"table": "", "kind": "count", "epsilon": "0.01"}


def _question_api(world):
    return {"question": {"kind": "count", "epsilon": 0.01}}


def _more(world):
    return {"more-table": "", "more-epsilon": "0.5", "more-reason": "one table more"}


def _more_api(world):
    return {"epsilon": "0.5", "reason": "one table more"}


PROPOSE = acts(("planner", POSSIBLE), body=_budget, walked=WALKED)
# What is sent grants; after the end a proposal can only be refused.
DECIDE = acts((DECIDING, ASKABLE), exists=THERE, walked=WALKED, body=_decision)
TABLE: Table = {
    "queries:page": {"GET": reads(walked=WALKED)},
    "queries:propose": {"POST": PROPOSE},
    "queries:decide": {"POST": DECIDE},
    "queries_receive:page": {"GET": receives(walked=WALKED)},
    "queries_receive:ask": {"POST": receives(at=ASKABLE, body=_question, walked=WALKED)},
    "queries_receive:more": {"POST": receives(at=ASKABLE, body=_more, walked=WALKED)},
    "queries_receive:detail": {"GET": receives(walked=WALKED)},
    "api:queries": {"GET": reads(walked=WALKED), "POST": PROPOSE},
    "api:queries-decide": {"POST": DECIDE},
    "api:receive-queries": {
        "GET": receives(walked=WALKED),
        "POST": receives(at=ASKABLE, body=_question_api, walked=WALKED),
    },
    "api:receive-queries-more": {"POST": receives(at=ASKABLE, body=_more_api, walked=WALKED)},
    "api:receive-query": {"GET": receives(walked=WALKED)},
}
