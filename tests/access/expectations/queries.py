"""Budgets of answers and questions: the planning manager proposes, a judge grants, the recipient asks."""

from django.core.files.uploadedfile import SimpleUploadedFile

from projects.workflow import ACTIVE, STATES, Stage, State

from ..checkpoints import at, since
from ..language import Table, acts, for_all, reads
from ..roles import SIGNED_IN
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
PRINT = acts((DECIDING | {"planner"}, ASKABLE), walked=WALKED)
# From the plan's approval on; what is sent has an answer of a kind that the survey does not know in no row.
COLLECTED = at(*(state for state in ACTIVE if STATES[state].stage != Stage.OBJECTIVE))


def _reports(world):
    return {
        "title": "Who smokes", "kind": "response", "epsilon": "1", "choices": "yes\nno", "steps": "100", "confidence": "0.95",
        "column": "report", "file": SimpleUploadedFile("reports.csv", REPORTS.encode()),
    }  # fmt: skip


def _reports_api(world):
    return {
        "title": "Who smokes",
        "survey": {"kind": "response", "epsilon": 1, "choices": ["yes", "no"]},
        "reports": REPORTS,
    }


REPORTS = "report\n0\n1\n0\n"
TABLE: Table = {
    "queries:local": {"GET": reads(walked=WALKED)},
    "queries:local_kit": {"GET": reads(walked=WALKED)},
    "queries:local_start": {
        "POST": acts(("executor", COLLECTED), body=_reports, media="multipart", walked=WALKED)
    },
    "api:queries-local": {
        "GET": reads(walked=WALKED),
        "POST": acts(("executor", COLLECTED), body=_reports_api, walked=WALKED),
    },
    "queries:page": {"GET": reads(walked=WALKED)},
    "queries:print_account": {"POST": PRINT},
    "queries:propose": {"POST": PROPOSE},
    "queries:decide": {"POST": DECIDE},
    "query_example:histogram": {"GET": for_all(SIGNED_IN)},
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
