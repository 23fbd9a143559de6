"""Tables of statistics: the executor makes, the supervisor reviews, senior management signs, the recipient has what was signed."""

from django.core.files.uploadedfile import SimpleUploadedFile

from projects.statistics.models import Tabulation
from projects.workflow import State
from tests.fixtures import PASSWORD

from ..checkpoints import at, since
from ..language import Table, acts, reads
from ..roles import SEES
from .releases import receives

# A table was signed, and another waits for its review.
THERE = since("monitoring")
WALKED = at("identification", "processing", "approved", "monitoring", "closed")
POSSIBLE = at(
    State.PROCESSING, State.PROCESSING_REVIEW, State.VERIFICATION, State.VERIFICATION_REVIEW, State.RELEASE_APPROVAL, State.APPROVED,
    State.MONITORING,
)  # fmt: skip
OPEN = at("monitoring")
CELLS = "town,value\nA,70\nB,80\n"


def _made(world):
    return {
        "title": "Patients", "source": "", "kind": "persons", "span1": "性别", "rules": str(world.table_rules.pk), "least": "values",
        "total": "Total",
    }  # fmt: skip


def _brought(world):
    given = {
        "title": "Patients", "kind": "persons", "rules": str(world.table_rules.pk), "least": "values", "total": "Total",
        "file": SimpleUploadedFile("cells.csv", CELLS.encode()),
    }  # fmt: skip
    return {f"bring-{name}": value for name, value in given.items()}


def _made_api(world):
    definition = {"kind": "persons", "spans": [{"column": "性别"}]}
    return {"title": "Patients", "definition": definition, "rules": str(world.table_rules.pk)}


def _decision(world):
    return {"decision": "accept", "accept": True, "reason": "it is as planned", "secret": PASSWORD}


def _signed(world, role, project):
    found = Tabulation.objects.filter(project=project, status="approved")
    return found.values_list("pk", flat=True).first()


SIGNED = {"tabulation_id": _signed}
INSIDE = reads("executor", "supervisor", "management", exists=THERE, walked=WALKED, refuses=SEES)
DECIDE = acts(("supervisor", OPEN), exists=THERE, walked=WALKED, body=_decision)
NO_ENCLAVE = "the project of the walk is no enclave; tests/projects/statistics/test_asking.py asks in one"
ASK = receives(
    at=frozenset(), walked=WALKED, never=NO_ENCLAVE, body=lambda world: {"title": "t", "purpose": "p"}
)
# Nobody has asked for what the recipient may have.
LOOK = {"arguments": SIGNED, "exists": frozenset(), "walked": WALKED, "never": NO_ENCLAVE}
TABLE: Table = {
    "statistics:page": {"GET": reads(walked=WALKED)},
    "statistics:make": {"POST": acts(("executor", POSSIBLE), body=_made, walked=WALKED)},
    "statistics:bring": {
        "POST": acts(("executor", POSSIBLE), body=_brought, media="multipart", walked=WALKED)
    },
    # True values of hidden cells: for who makes and who reviews the table.
    "statistics:detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "statistics:decide": {"POST": DECIDE},
    "statistics:download": {"GET": INSIDE},
    "statistics_receive:page": {"GET": receives(walked=WALKED)},
    "statistics_receive:download": {"GET": receives(at=OPEN, walked=WALKED, arguments=SIGNED)},
    "api:statistics": {
        "GET": reads(walked=WALKED),
        "POST": acts(("executor", POSSIBLE), body=_made_api, walked=WALKED),
    },
    "api:statistics-table": {"GET": reads(exists=THERE, walked=WALKED)},
    "api:statistics-decide": {"POST": DECIDE},
    "api:statistics-file": {"GET": INSIDE},
    "statistics_receive:ask": {"POST": ASK},
    "statistics_receive:look": {"GET": reads("recipient", **LOOK)},
    "api:receive-statistics-requested": {"GET": receives(at=OPEN, walked=WALKED)},
    "api:receive-statistics": {"GET": receives(at=OPEN, walked=WALKED), "POST": ASK},
    "api:receive-statistics-file": {"GET": receives(at=OPEN, walked=WALKED, arguments=SIGNED)},
}
