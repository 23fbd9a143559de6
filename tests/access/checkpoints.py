"""Where the project can stand: every state of the workflow, some of them with more or less done."""

from __future__ import annotations

from projects.workflow import State

S = State
# In the order in which the lifecycle comes by. What follows a "+" tells two stands of one state apart.
CHECKPOINTS: dict[str, State] = {
    "objective_draft": S.OBJECTIVE_DRAFT,
    "objective_review": S.OBJECTIVE_REVIEW,
    "objective_draft+complete": S.OBJECTIVE_DRAFT,
    "plan_approval": S.PLAN_APPROVAL,
    "rejected": S.REJECTED,
    "identification": S.IDENTIFICATION,
    "identification+uploaded": S.IDENTIFICATION,
    "identification_review": S.IDENTIFICATION_REVIEW,
    "identification+complete": S.IDENTIFICATION,
    "processing": S.PROCESSING,
    "processing+recipe": S.PROCESSING,
    "processing_review": S.PROCESSING_REVIEW,
    "processing+complete": S.PROCESSING,
    "withdrawn": S.WITHDRAWN,
    "suspended": S.SUSPENDED,
    "verification": S.VERIFICATION,
    "processing+failed": S.PROCESSING,
    "verification_review": S.VERIFICATION_REVIEW,
    "verification+complete": S.VERIFICATION,
    "release_approval": S.RELEASE_APPROVAL,
    "approved": S.APPROVED,
    "approved+agreed": S.APPROVED,
    "monitoring": S.MONITORING,
    "suspended+released": S.SUSPENDED,
    "closed": S.CLOSED,
}
# A second look at a state concerns the packages that act in it; everywhere else all packages are walked.
REVISITED: dict[str, frozenset[str]] = {
    "objective_draft+complete": frozenset({"core", "objective"}),
    "identification+uploaded": frozenset({"datasets", "identification"}),
    "identification+complete": frozenset({"core", "datasets", "identification"}),
    "processing+recipe": frozenset({"processing"}),
    "processing+complete": frozenset({"core", "processing", "verification"}),
    "processing+failed": frozenset({"verification"}),
    "verification+complete": frozenset({"core", "verification"}),
    "approved+agreed": frozenset({"core", "releases"}),
    "suspended+released": frozenset({"core", "releases", "monitoring"}),
}
assert set(REVISITED) == {name for name in CHECKPOINTS if "+" in name}
Checkpoints = frozenset[str]
ALL: Checkpoints = frozenset(CHECKPOINTS)
assert set(CHECKPOINTS.values()) == set(State), "every state of the workflow is walked"
TERMINAL: Checkpoints = frozenset({"rejected", "withdrawn", "closed"})


def at(*where: str | State) -> Checkpoints:
    """The stands of the named states, and the stands that are named themselves."""
    found: set[str] = set()
    for one in where:
        if isinstance(one, State):
            found |= {name for name, state in CHECKPOINTS.items() if state == one}
        else:
            assert one in CHECKPOINTS, one
            found.add(one)
    return frozenset(found)


def since(first: str, *, but: Checkpoints = frozenset()) -> Checkpoints:
    """``first`` and every checkpoint that comes later in the lifecycle."""
    order = list(CHECKPOINTS)
    return frozenset(order[order.index(first) :]) - but


# What does not depend on a project is walked where there is nothing yet and where there is everything.
ENDS: Checkpoints = at("objective_draft", "monitoring")
