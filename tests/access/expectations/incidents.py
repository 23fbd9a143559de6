"""Incidents: whoever works in the project or looks on reports them, recipients too; the law's duties are the planning manager's."""

from django.utils import timezone

from ..checkpoints import at, since
from ..language import Table, acts, reads
from ..roles import KNOW_OTHER, SEES, SIGNED_IN
from .releases import RELEASED

# One was reported, and is neither judged nor closed.
THERE = since("monitoring")
WALKED = at("identification", "monitoring", "closed")
ACTING = frozenset({"planner", "executor", "supervisor", "management"})


def _incident(world):
    return {
        "kind": "leak", "severity": "major", "description": "A file lay open.",
        "noticed_at": timezone.localtime().strftime("%Y-%m-%dT%H:%M"),
    }  # fmt: skip


def _act(world):
    return {"act": "measure", "text": "The file was taken away."}


RAISE = acts((SEES, WALKED), body=_incident, walked=WALKED)
# Senior management may stop deliveries, but takes no measure: its request is answered with what it may do.
ACT = acts((ACTING, THERE), exists=THERE, walked=WALKED, body=_act)
API_ACT = acts((ACTING - {"management"}, THERE), exists=THERE, walked=WALKED, body=_act)
REPORTED = acts(("recipient", RELEASED), refuses=frozenset(), exists=RELEASED, walked=WALKED, body=_incident)
BOARD = reads(SIGNED_IN, names=SEES, names_other=KNOW_OTHER)
TABLE: Table = {
    "incidents:page": {"GET": reads(walked=WALKED), "POST": RAISE},
    "incidents:incident": {"GET": reads(exists=THERE, walked=WALKED), "POST": ACT},
    "incident_board:page": {"GET": BOARD},
    "recipient_incidents:page": {
        "GET": reads("recipient", at=RELEASED, exists=RELEASED, walked=WALKED),
        "POST": REPORTED,
    },
    "api:incidents": {"GET": reads(walked=WALKED), "POST": RAISE},
    "api:incidents-detail": {"GET": reads(exists=THERE, walked=WALKED), "POST": API_ACT},
    "api:incident-board": {"GET": BOARD},
    "api:receive-incidents": {
        "GET": reads("recipient", at=RELEASED, exists=RELEASED, walked=WALKED),
        "POST": REPORTED,
    },
}
