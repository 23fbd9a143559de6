"""Impact assessments: planning manager and executor lay them down, a judge of the project decides."""

from ..checkpoints import at, since
from ..language import Table, acts, reads

# One waits.
THERE = since("monitoring")
WALKED = at("identification", "approved", "monitoring", "closed")
# While one waits, no other is laid down.
POSSIBLE = at("identification", "approved")
ASSESSING = frozenset({"planner", "executor"})
DECIDING = frozenset({"supervisor", "management"})
ANSWERS = {
    "lawful": "a study", "impact": "a diagnosis becomes known", "level": "medium", "measures": "an agreement", "basis": "duty",
    "separate_consent": "", "transfer": "inside", "reference": "",
}  # fmt: skip

LAY = acts((ASSESSING, POSSIBLE), body=lambda world: ANSWERS, walked=WALKED)
DECIDE = acts(
    (DECIDING, THERE),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"decision": "turn_down", "accept": False, "reason": "too little"},
)
TABLE: Table = {
    "impact:page": {"GET": reads(walked=WALKED), "POST": LAY},
    "impact:decide": {"POST": DECIDE},
    "api:impact": {"GET": reads(walked=WALKED), "POST": LAY},
    "api:impact-decide": {"POST": DECIDE},
}
