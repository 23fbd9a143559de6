"""Projects, their members and moves, notifications, help."""

from dataclasses import replace

from projects.workflow import Move, State

from ..checkpoints import ALL, ENDS, TERMINAL, at
from ..language import Table, acts, each, for_all, reads
from ..roles import AUDITORS, INSIDE, KNOW_OTHER, PLANNERS, READERS, RECIPIENT, SEES, SIGNED_IN, TESTER

REASON = {"reason": "for a good reason", "justification": "as explained to the reviewer"}
PROJECT = {"title": "A new project", "summary": "for a study"}
DRAFT = at(State.OBJECTIVE_DRAFT)
OPEN = ALL - TERMINAL
SUSPENDED = at(State.SUSPENDED)
RELEASED = at(State.MONITORING)
WORKING = at(State.IDENTIFICATION, State.PROCESSING, State.VERIFICATION)

# The moves that are no outcome of a judgement, who makes them and where everything for them is there.
MOVES = {
    "submit_objective": (("planner", at("objective_draft+complete")),),
    "submit_identification": (("executor", at("identification+complete")),),
    "submit_processing": (("executor", at("processing+complete")),),
    "submit_verification": (("executor", at("verification+complete")),),
    # Handing out goes with the seal, which the release's own page makes; the bare move needs the agreement too.
    "release": (("planner", at("approved+agreed")),),
    "revise_objective": (("planner", WORKING),),
    "back_to_identification": (("executor", at(State.PROCESSING)),),
    "back_to_processing": (("executor", at(State.VERIFICATION)),),
    "reopen_verification": (("supervisor", at(State.MONITORING, State.APPROVED)),),
    "reopen_processing": (("supervisor", at(State.MONITORING, State.APPROVED)),),
    # Recipients still have access where the release has not ended.
    "close": (),
    "withdraw": (("planner", OPEN - SUSPENDED - RELEASED),),
    "suspend": (("planner", OPEN - SUSPENDED), ("supervisor", OPEN - SUSPENDED)),
    "resume": (("supervisor", SUSPENDED),),
}
JUDGED = (
    "pass_objective", "return_objective", "approve_plan", "return_plan", "reject_plan",
    "pass_identification", "return_identification", "pass_processing", "return_processing",
    "pass_verification", "return_verification", "approve_release", "return_release", "reject_release",
)  # fmt: skip
ALL_MOVES = {**MOVES, **dict.fromkeys(JUDGED, ())}
assert set(ALL_MOVES) == set(Move.values)
MOVE = acts(body=lambda world: REASON)


def _new_member(world):
    return {"user": world.people.other_supervisor.pk, "role": "supervisor"}


def _new_member_by_name(world):
    return {"username": "other_supervisor", "role": "supervisor"}


def _successor(world):
    return {"to": world.people.outsider.pk, "reason": "left the house"}


def _said(world):
    return {"thread": "objective", "text": "Which table is meant?"}


def _order(world):
    other = world.people.other_assessor
    return {"assessor": other.pk, "covers": "all of it", "until": other.access_until.isoformat()}


def _order_by_name(world):
    return _order(world) | {"assessor": "other_assessor"}


# The assessor of the project has their order from the beginning.
ASSESSED = ((frozenset({"supervisor", "management"}), ALL),)
REPORTED = {"conclusion": "conforms", "report": "as it should be"}
REPORT = acts(("assessor", ALL))
END = acts(*ASSESSED)
STEP = {"thread": lambda world, role, project: "objective"}
TALK = ((INSIDE, OPEN),)
MANAGE = (("planner", OPEN),)
HAND_OVER = (("management", OPEN),)
LIST = reads(SIGNED_IN, names=SEES, names_other=KNOW_OTHER)
NEWS = reads(SIGNED_IN, names=INSIDE | RECIPIENT, names_other=frozenset({"outsider"}))
# No state of the project matters for it, and it reads all that the project has.
TAKEN_ALONG = reads(
    READERS | {"planner", "supervisor", "management"},
    refuses=SEES,
    walked=ENDS | at(State.VERIFICATION, State.CLOSED),
    names=READERS,
)
TABLE: Table = {
    "core:home": {
        "GET": reads(SIGNED_IN, leads=TESTER, names=READERS | {"supervisor"}, names_other=AUDITORS)
    },
    "core:projects": {"GET": LIST},
    "core:project_create": {
        "GET": for_all(PLANNERS, refuses=SIGNED_IN),
        "POST": for_all(PLANNERS, refuses=SIGNED_IN, body=lambda world: PROJECT),
    },
    "core:project": {"GET": reads()},
    "core:project_continue": {"GET": reads(redirects=True)},
    "core:project_edit": {
        "GET": acts(("planner", DRAFT)),
        "POST": acts(("planner", DRAFT), body=lambda world: PROJECT),
    },
    "core:project_mark": {
        "GET": acts(*MANAGE),
        "POST": acts(*MANAGE, body=lambda world: {"mark": "internal"}),
    },
    "core:members": {"GET": reads(), "POST": acts(*MANAGE, body=_new_member)},
    "core:member_end": {"POST": acts(*MANAGE)},
    "core:hand_over": {"GET": acts(*HAND_OVER), "POST": acts(*HAND_OVER, body=_successor)},
    "core:move": {"POST": each(MOVE, "move", ALL_MOVES)},
    "core:comments": {"GET": reads(arguments=STEP), "POST": acts(*TALK, arguments=STEP, body=_said)},
    "core:history": {"GET": reads()},
    "core:assessments": {"GET": reads(), "POST": acts(*ASSESSED, body=_order)},
    "core:assessment_report": {"GET": REPORT, "POST": replace(REPORT, body=lambda world: REPORTED)},
    "core:assessment_end": {"GET": END, "POST": replace(END, body=lambda world: REASON)},
    "core:audit_package": {"POST": TAKEN_ALONG},
    "core:phases": {"GET": reads()},
    "core:notifications": {"GET": NEWS},
    "core:notifications_read": {"POST": for_all(SIGNED_IN)},
    "core:help_process": {"GET": for_all(SIGNED_IN)},
    "core:help_glossary": {"GET": for_all(SIGNED_IN)},
    "core:help_tour": {"GET": for_all(SIGNED_IN)},
    "core:help_tour_end": {"POST": for_all(SIGNED_IN)},
    "api:task-list": {"GET": reads(SIGNED_IN, names=frozenset({"supervisor"}))},
    "api:notification-list": {"GET": NEWS, "POST": for_all(SIGNED_IN)},
    "api:project-list": {
        "GET": LIST,
        "POST": for_all(PLANNERS, refuses=SIGNED_IN, body=lambda world: PROJECT),
    },
    "api:project-detail": {
        "GET": reads(),
        "PATCH": acts(("planner", DRAFT), body=lambda world: {"title": "Renamed"}),
    },
    "api:project-mark": {"GET": reads(), "PUT": acts(*MANAGE, body=lambda world: {"mark": "internal"})},
    "api:project-member-list": {"GET": reads(), "POST": acts(*MANAGE, body=_new_member_by_name)},
    "api:project-member-detail": {"DELETE": acts(*MANAGE)},
    "api:project-hand-over": {
        "POST": acts(*HAND_OVER, body=lambda world: {"username": "outsider", "reason": "left"})
    },
    "api:project-move": {"POST": each(MOVE, "move", ALL_MOVES)},
    "api:project-comments": {"GET": reads(), "POST": acts(*TALK, body=_said)},
    "api:project-history": {"GET": reads()},
    "api:project-assessments": {"GET": reads(), "POST": acts(*ASSESSED, body=_order_by_name)},
    "api:project-assessment-report": {"POST": replace(REPORT, body=lambda world: REPORTED)},
    "api:project-assessment-end": {"POST": replace(END, body=lambda world: REASON)},
    "api:project-audit-package": {"POST": TAKEN_ALONG},
    "api:project-phases": {"GET": reads()},
}
