"""Stage reviews, changes and re-assessments, and the board over all of them."""

from typing import Any

from django.utils import timezone

from projects.core.evidence import content_of
from projects.core.help.clauses import clauses
from projects.monitoring.afterwards.enums import LaterOutcome, Question
from projects.monitoring.afterwards.selectors import ended_releases
from projects.monitoring.afterwards.services import later_conclude
from projects.monitoring.forms import met_name
from projects.monitoring.models import Amendment, LaterReassessment, Reassessment
from projects.workflow import REVIEW_STATES, STAGES, STATES, Stage, State
from tests.fixtures import PASSWORD
from tests.projects.releases.relatives.outside.steps import sent as outside_sent

from ..checkpoints import ALL, at, since
from ..language import Table, acts, for_all, reads
from ..roles import AUDITORS, KNOW_OTHER, PLANNERS, SEES, SIGNED_IN

REVIEWED = at(*REVIEW_STATES)
MONITORED = at("monitoring")


def _review(world):
    state = State(world.project.state)
    content = content_of(world.project, STATES[state].stage) if state in REVIEW_STATES else None
    return {
        "content": content.hash if content else "",
        "object": "the records", "process": "compared", "result": "complete", "measures": "none needed",
        "time": timezone.localtime().strftime("%Y-%m-%dT%H:%M"), "outcome": "passed",
        **({met_name(one): "on" for one in clauses(STAGES[STATES[state].stage].clauses)} if state in REVIEW_STATES else {}),
    }  # fmt: skip


def _change(world):
    return {"kind": "system", "description": "a new server", "happened_on": timezone.localdate()}


def _opened(world, role, project):
    """The one that a change has opened."""
    return _one(project, opened_at__isnull=False)


def _planned(world, role, project):
    return _one(project, opened_at=None)


def _one(project, **wanted):
    return Reassessment.objects.filter(project=project, **wanted).values_list("pk", flat=True).first()


REPORT = acts(("planner", MONITORED), ("executor", MONITORED), ("supervisor", MONITORED), body=_change)
CONCLUDE = acts(
    ("supervisor", MONITORED),
    arguments={"reassessment_id": _opened},
    # Amendments within it wait, so that it cannot be kept.
    body=lambda world: {"outcome": "suspend", "finding": "to be looked into"},
)
OPEN = acts(("supervisor", MONITORED), arguments={"reassessment_id": _planned})
MEASURE = acts(("supervisor", MONITORED), arguments={"reassessment_id": _opened})
ACCEPT = acts(
    ("management", frozenset()),
    arguments={"reassessment_id": _opened},
    body=lambda world: {"until": timezone.localdate(), "reason": "small", "secret": PASSWORD},
    never="what was released meets its targets",
)
AMENDED = since("monitoring")


def _amendment(outcome):
    def find(world, role, project):
        found = Amendment.objects.filter(project=project, outcome=outcome)
        return found.values_list("pk", flat=True).first()

    return {"amendment_id": find}


def _judged(outcome):
    def body(world):
        found = Amendment.objects.filter(project=world.project, outcome=outcome).first()
        return {
            "content_hash": found.content_hash if found else "", "outcome": "refuse", "passed": False, "review": "not so",
            "decision": "refuse", "approve": False, "reason": "not needed", "secret": PASSWORD,
        }  # fmt: skip

    return body


AMEND = {"reassessment_id": _opened, "kind": lambda world, role, project: "columns"}
PROPOSE = acts(
    ("planner", MONITORED),
    arguments=AMEND,
    body=lambda world: {"columns": ["0"], "role": "sensitive", "why": "a register was published"},
)
PROPOSE_API = acts(
    ("planner", MONITORED),
    arguments={"reassessment_id": _opened},
    body=lambda world: {
        "kind": "columns", "columns": [{"table": "", "column": "诊断"}], "role": "quasi", "why": "a register",
    },
)  # fmt: skip
REVIEW_AMENDMENT = acts(
    ("supervisor", MONITORED), exists=AMENDED, arguments=_amendment("waiting"), body=_judged("waiting")
)
DECIDE_AMENDMENT = acts(
    ("management", MONITORED), exists=AMENDED, arguments=_amendment("reviewed"), body=_judged("reviewed")
)
# A copy is out once the recipient has fetched it and the release has ended; the other project never ends, so these are not asked for
# where everything is.
ENDED = at("closed")
AFTER: dict[str, Any] = {"exists": ENDED, "walked": ENDED}
ANSWERED = {
    one: {"yes": False, "words": ""} for one in ("other_data", "techniques", "surroundings", "misuse")
}


def _ended(world):
    """The release that has ended, with nobody concluding about its copies any more; None where none has."""
    release = ended_releases(world.project).first()
    waiting = LaterReassessment.objects.filter(project=world.project, concluded_at=None).first()
    if waiting is not None:
        later_conclude(
            waiting, outcome=LaterOutcome.RECALL, reason="to be sure", by=world.people.supervisor,
            answers={one.value: {"yes": False} for one in Question},
        )  # fmt: skip
    return release


def _begin(world):
    release = _ended(world)
    return {} if release is None else {"release": str(release.pk)}


def _conclusion(world):
    return {one.value: "no" for one in Question} | {"outcome": "nothing", "reason": "nothing has changed"}


MEASURE_LATER = acts(("supervisor", ENDED), **AFTER)
CONCLUDE_LATER = acts(("supervisor", ENDED), body=_conclusion, **AFTER)
CONCLUDE_LATER_API = acts(
    ("supervisor", ENDED),
    body=lambda world: {"outcome": "nothing", "reason": "nothing has changed", "answers": ANSWERED},
    **AFTER,
)
BEGIN = acts(("supervisor", ENDED), body=_begin, **AFTER)
BEGIN_API = acts(("supervisor", ALL), body=_begin)
LATER_BOARD = reads(SIGNED_IN)
# Where the target stands as its supervisor passed it; returned or revised it does not.
PASSED = since("plan_approval")
STAGE = {"stage": lambda world, role, project: "objective"}


def _records(world):
    content = content_of(world.project, Stage.OBJECTIVE)
    return {
        "content": content.hash if content else "",
        "object": "the plan", "process": "read", "result": "complete", "measures": "none needed",
        "time": timezone.localtime().strftime("%Y-%m-%dT%H:%M"), "outcome": "sound",
    }  # fmt: skip


OVERSIGHT = {
    "GET": reads(arguments=STAGE),
    "POST": acts(("management", PASSED), arguments=STAGE, body=_records),
}
BOARD = reads(SIGNED_IN, names=SEES, names_other=KNOW_OTHER)
# The other project has released nothing.
REGISTER = reads(SIGNED_IN, names=SEES)
# Of the organisation, whatever project somebody is in: who is appointed to plan, to supervise or to sign, and auditors.
OUTSIDE_READ = for_all(PLANNERS | AUDITORS | {"supervisor", "management"}, refuses=SIGNED_IN)


def _outside(**more):
    """Another release each time, by one who may."""
    return for_all(PLANNERS, refuses=SIGNED_IN, **more)


TABLE: Table = {
    "board:portfolio": {"GET": BOARD},
    "board:portfolio_csv": {"GET": BOARD},
    "api:portfolio": {"GET": BOARD},
    "board:register": {"GET": REGISTER},
    "api:register": {"GET": REGISTER},
    "board:outside_record": {"GET": _outside(), "POST": _outside(body=lambda world: outside_sent())},
    "board:outside": {"GET": OUTSIDE_READ},
    "board:outside_correct": {
        "GET": _outside(),
        "POST": _outside(body=lambda world: outside_sent(name="Another", reason="so")),
    },
    "board:outside_withdraw": {"POST": _outside(body=lambda world: {"reason": "never"})},
    "api:outside": {
        "GET": OUTSIDE_READ,
        "POST": _outside(body=lambda world: outside_sent(columns=["a", "b"])),
    },
    "api:outside-entry": {"GET": OUTSIDE_READ},
    "api:outside-correct": {"POST": _outside(body=lambda world: outside_sent(columns=["a"], reason="so"))},
    "api:outside-withdraw": {"POST": _outside(body=lambda world: {"reason": "never"})},
    "monitoring:page": {"GET": reads(), "POST": REPORT},
    "monitoring:review": {
        "GET": reads(redirects=True),
        "POST": acts(("supervisor", REVIEWED), body=_review),
    },
    "monitoring:reassessment": {"GET": reads(), "POST": CONCLUDE},
    "monitoring:reassessment_open": {"POST": OPEN},
    "monitoring:reassessment_measure": {"POST": MEASURE},
    "monitoring:reassessment_accept": {"POST": ACCEPT},
    "api:reassessments-accept": {"POST": ACCEPT},
    "monitoring:amend": {"GET": acts(("planner", MONITORED), arguments=AMEND), "POST": PROPOSE},
    "monitoring:amendment": {"GET": reads(exists=AMENDED)},
    "monitoring:amendment_review": {"POST": REVIEW_AMENDMENT},
    "monitoring:amendment_decide": {"POST": DECIDE_AMENDMENT},
    "api:amendments": {"GET": reads(), "POST": PROPOSE_API},
    "api:amendments-review": {"POST": REVIEW_AMENDMENT},
    "api:amendments-decide": {"POST": DECIDE_AMENDMENT},
    "monitoring:afterwards": {"GET": reads()},
    "monitoring:later_begin": {"POST": BEGIN},
    "monitoring:later": {"GET": reads(**AFTER), "POST": CONCLUDE_LATER},
    "monitoring:later_measure": {"POST": MEASURE_LATER},
    "board:afterwards": {"GET": LATER_BOARD},
    "api:later-reassessments": {"GET": reads(), "POST": BEGIN_API},
    "api:later-reassessments-detail": {"GET": reads(**AFTER)},
    "api:later-reassessments-measure": {"POST": MEASURE_LATER},
    "api:later-reassessments-conclude": {"POST": CONCLUDE_LATER_API},
    "api:board-later": {"GET": LATER_BOARD},
    "board:page": {"GET": BOARD},
    "api:reviews": {"GET": reads(), "POST": acts(("supervisor", REVIEWED), body=_review)},
    "api:reviews-subject": {"GET": reads(exists=REVIEWED)},
    "monitoring:oversight": OVERSIGHT,
    "api:oversight": {"GET": reads()},
    "api:oversight-stage": OVERSIGHT,
    "api:changes": {"GET": reads(), "POST": REPORT},
    "api:reassessments": {"GET": reads()},
    "api:reassessments-detail": {"GET": reads()},
    "api:reassessments-open": {"POST": OPEN},
    "api:reassessments-measure": {"POST": MEASURE},
    "api:reassessments-conclude": {"POST": CONCLUDE},
    "api:board": {"GET": BOARD},
}
