"""Identification: scanned and judged by the executor while identifiers are being identified."""

from projects.datasets.tables.selectors import first_table
from projects.identification.models import IdentificationRound
from projects.identification.selectors import verdicts_of

from ..checkpoints import at, since
from ..language import Table, acts, reads
from ..world import unknown

COMPLETE = at("identification+complete")
SCANNED = since("identification_review")
FIRST = {"position": 0}


def _round(world):
    newest = IdentificationRound.objects.filter(project=world.project).order_by("-number").first()
    return str(newest.pk if newest else unknown())


def _accept(world):
    return {"round": _round(world), "what": "suggestions", "all-reason": "as the rules say"}


def _accept_api(world):
    return {"round": _round(world), "what": "suggestions", "reason": "as the rules say"}


def _save(world):
    """No line filled in: nothing changes, and that is an answer too."""
    return {"round": _round(world)}


def _verdicts(world):
    column = next(iter(verdicts_of(first_table(world.project))), "姓名")
    reason = "It names the patient, which is why it is a direct identifier."
    return {"round": _round(world), "verdicts": [{"column": column, "role": "direct", "reason": reason}]}


def _persons(world):
    """The likeliest key, which stands first."""
    reason = "a patient has one record number and as many rows as visits"
    return {"round": _round(world), "key": "0", "reason": reason}


def _counts(world):
    """No column ticked: a form to be mended."""
    return {"round": _round(world), "count": "1"}


def _persons_api(world):
    """The record number, which a patient keeps from visit to visit."""
    reason = "a patient has one record number and as many rows as visits"
    return {"round": _round(world), "columns": ["病历号"], "reason": reason}


def _counts_api(world):
    return {"round": _round(world), "columns": ["姓名", "性别"]}


TABLE: Table = {
    "identification:page": {
        "GET": reads(),
        "POST": [acts(("executor", COMPLETE), body=_save), acts(("executor", COMPLETE), body=_accept)],
    },
    "identification:scan": {"POST": acts(("executor", COMPLETE))},
    "identification:column": {"GET": reads(exists=SCANNED, arguments=FIRST)},
    "identification:persons": {
        "GET": reads(redirects=True),
        "POST": [acts(("executor", COMPLETE), body=_persons), acts(("executor", COMPLETE), body=_counts)],
    },
    "identification:report": {"GET": reads(redirects=True)},
    "api:identification-state": {"GET": reads()},
    "api:identification-inventory": {"GET": reads()},
    "api:identification-scans": {"GET": reads(), "POST": acts(("executor", COMPLETE))},
    "api:identification-report": {"GET": reads()},
    "api:identification-verdicts": {
        "GET": reads(),
        "PUT": acts(("executor", COMPLETE), exists=SCANNED, body=_verdicts),
    },
    "api:identification-persons": {
        "GET": reads(),
        "PUT": acts(("executor", COMPLETE), exists=SCANNED, body=_persons_api),
        "POST": acts(("executor", COMPLETE), exists=SCANNED, body=_counts_api),
    },
    "api:identification-accept": {
        "POST": acts(
            ("executor", COMPLETE), exists=SCANNED, body=_accept_api,
            answers=frozenset({200, 403}), never="every column has its verdict already, so nothing is accepted",
        )
    },
    "api:identification-history": {"GET": reads(exists=SCANNED, arguments=FIRST)},
}  # fmt: skip
