"""Getting values back: executor and planning manager ask, supervisor or senior management decides, who asked reads."""

from projects.processing.runs.selectors import latest_run
from projects.reversal.models import ReversalRequest
from projects.workflow import State

from ..checkpoints import at, since
from ..language import Table, acts, reads

# Suspended from where nothing was approved yet, nothing comes back.
POSSIBLE = at(State.APPROVED, State.MONITORING, "suspended+released", State.CLOSED)
# One request waits, and one has an answer.
THERE = since("monitoring")
# Walked where nobody may yet, where somebody may, and where there is something.
WALKED = at("identification", "suspended", "approved", "monitoring", "suspended+released", "closed")
ASKING = frozenset({"planner", "executor"})
DECIDING = frozenset({"supervisor", "management"})


def _ready(world, role, project):
    found = ReversalRequest.objects.filter(project=project, status="ready")
    return found.values_list("pk", flat=True).first()


def _question(world):
    run = latest_run(world.project)
    return {
        "what": f"{run.pk}:病历号" if run else "",
        "run": run.pk if run else world.project.pk,
        "column": "病历号",
        "values": "P-0123",
        "reason": "a patient asked",
    }


def _question_api(world):
    return {**_question(world), "values": ["P-0123"]}


def _decision(world):
    return {"decision": "approve", "approve": True, "reason": "as the patient wishes"}


READY = {"reversal_id": _ready}
ASK = acts((ASKING, POSSIBLE), body=_question, walked=WALKED)
DECIDE = acts((DECIDING, THERE), exists=THERE, walked=WALKED, body=_decision)
# What was got back is shown to who asked for it, and to nobody else.
READ = acts(
    ("executor", THERE), exists=THERE, walked=WALKED, arguments=READY, shows_raw=frozenset({"executor"})
)
END = acts((DECIDING | {"executor"}, THERE), exists=THERE, walked=WALKED, arguments=READY)
TABLE: Table = {
    "reversal:page": {"GET": reads(walked=WALKED)},
    "reversal:ask": {"GET": acts((ASKING, POSSIBLE), walked=WALKED), "POST": ASK},
    "reversal:detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "reversal:decide": {"POST": DECIDE},
    "reversal:read": {"POST": READ},
    "reversal:end": {"POST": END},
    "api:reversal-list": {
        "GET": reads(walked=WALKED),
        "POST": acts((ASKING, POSSIBLE), body=_question_api, walked=WALKED),
    },
    "api:reversal-columns": {"GET": reads(walked=WALKED)},
    "api:reversal-detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "api:reversal-decide": {"POST": DECIDE},
    "api:reversal-read": {"POST": READ},
    "api:reversal-end": {"POST": END},
}
