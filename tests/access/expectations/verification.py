"""Measuring the result, and senior management's decision about it."""

from projects.verification.comparison.selectors import candidate_runs, comparisons_of
from projects.verification.models import UtilityOpinion
from projects.verification.selectors import current_verification
from projects.workflow import State
from tests.fixtures import PASSWORD

from ..checkpoints import at, since
from ..language import Table, acts, reads
from ..roles import INSIDE


def _decision(world):
    current = current_verification(world.project)
    return {
        "decision": "approved",
        "reason": "every measure is within its target",
        "secret": PASSWORD,
        "content_hash": current.content_hash if current else "none",
    }


def _accepting(world):
    """With the reason why a degree of anonymisation below 1 is accepted."""
    return _decision(world) | {"acceptance": "the recipient's own rules stand in for it"}


MEASURED = since("verification_review")
DECIDE = acts(("management", at(State.RELEASE_APPROVAL)), body=_decision)
# The degree of this result is not below 1: the page asks for no such reason and takes none, a program is told so.
ACCEPT = acts(("management", at(State.RELEASE_APPROVAL)), body=_accepting)
ACCEPT_API = acts(
    ("management", frozenset()), body=_accepting, never="a degree that is not below 1 is not to be accepted"
)
MEASURE = acts(("executor", at(State.VERIFICATION)))
# Two candidates were measured there; nothing has been chosen yet.
COMPARED = at("processing+complete")
# Two runs of different recipes are there.
COMPARABLE = at("processing+complete", "processing+failed")


# A result by the verdicts as they are, before it is handed over.
TRIED = at("processing+complete", "processing+failed")


def _candidates(world):
    return {"run": [str(run.pk) for run in candidate_runs(world.project)]}


def _candidates_api(world):
    return {"runs": [str(run.pk) for run in candidate_runs(world.project)] or [str(world.project.pk)] * 2}


def _choice(world):
    found = comparisons_of(world.project).first()
    run = found.run_ids[0] if found else str(world.project.pk)
    return {"run": run, "reason": "most detail at an allowed risk"}


# A result failed there, and the project is back where its recipe can be changed.
FAILED = at("processing+failed")
TAKE = acts(("executor", FAILED), arguments={"number": 1})

# A result is measured and not signed.
JUDGED = at("verification_review", "verification+complete", "release_approval")
ASKS = (frozenset({"planner", "supervisor"}), JUDGED)
REQUESTED = since("verification+complete")
ANSWERS = ("assessor", at("verification+complete", "release_approval"))

# Whoever is shown values of the result; before it is measured the page says that nothing is listed.
CLASSES = acts(
    (
        frozenset({"supervisor", "auditor"}),
        at(
            State.VERIFICATION,
            State.VERIFICATION_REVIEW,
            State.RELEASE_APPROVAL,
            State.APPROVED,
            "monitoring",
        ),
    )
)


def _question(world):
    """Nobody is asked twice about one result."""
    if UtilityOpinion.objects.filter(project=world.project).exists():
        return {}
    return {"assessor": str(world.people.assessor.pk), "question": "the study of the season"}


def _question_api(world):
    said = _question(world)
    return said and said | {"assessor": world.people.assessor.username}


def _opinion(world):
    return {"verdict": "limited", "reason": "for counts by year only"}


TABLE: Table = {
    "verification:candidates": {"GET": reads()},
    "verification:compare": {"POST": acts(("executor", COMPARABLE), body=_candidates)},
    "verification:choose": {"POST": acts(("executor", COMPARED), body=_choice)},
    "api:verification-comparisons": {
        "GET": reads(),
        "POST": acts(("executor", COMPARABLE), body=_candidates_api),
    },
    "api:verification-comparison-choice": {"POST": acts(("executor", COMPARED), body=_choice)},
    "verification:classes": {"GET": CLASSES},
    "verification:opinions": {"GET": reads(), "POST": acts(ASKS, body=_question)},
    "verification:opinion": {"POST": acts(ANSWERS, body=_opinion, exists=REQUESTED)},
    "api:verification-classes": {"GET": CLASSES},
    "api:verification-opinions": {"GET": reads(), "POST": acts(ASKS, body=_question_api)},
    "api:verification-opinion": {"POST": acts(ANSWERS, body=_opinion, exists=REQUESTED)},
    "verification:trials": {"GET": reads()},
    "verification:trial_start": {"POST": acts(("executor", TRIED))},
    "api:verification-trials": {"GET": reads(), "POST": acts(("executor", TRIED))},
    "verification:page": {"GET": reads()},
    "verification:measure": {"POST": MEASURE},
    "verification:decide": {"GET": reads(), "POST": [DECIDE, ACCEPT]},
    "verification:way_take": {"POST": TAKE},
    "api:verification-way-take": {"POST": TAKE},
    "verification:way_carry_out": {"POST": TAKE},
    "api:verification-way-carry-out": {"POST": TAKE},
    "verification:document_make": {"POST": acts((INSIDE, MEASURED))},
    "api:verification-list": {"GET": reads(), "POST": MEASURE},
    "api:verification-answer": {"GET": reads()},
    "api:verification-decision": {"POST": [DECIDE, ACCEPT_API]},
    "api:verification-detail": {"GET": reads()},
}
