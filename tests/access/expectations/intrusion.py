"""Intruder tests: the supervisor opens one, claims are recorded by the supervisor or an assessor and checked by the executor."""

from projects.intrusion.models import IntruderClaim

from ..checkpoints import at, since
from ..language import Table, acts, for_all, reads
from ..roles import TESTER

# One is open, and its two claims wait to be checked.
THERE = since("verification_review")
WALKED = at("identification", "verification", "verification_review", "monitoring", "closed")
POSSIBLE = at("verification")
GOES_ON = at("verification_review", "monitoring")
CLAIMING = frozenset({"supervisor", "assessor"})


def _open(world):
    return {
        "knowledge": "insider",
        "scope": "ten persons",
        "testers": "two of us",
        "auxiliary": "our own registers",
    }


def _claims(world):
    return [
        str(pk)
        for pk in IntruderClaim.objects.filter(test__project=world.project).values_list("pk", flat=True)
    ] or [str(world.project.pk)]


OPEN = acts(("supervisor", POSSIBLE), body=_open, walked=WALKED)
CLAIM = acts(
    (CLAIMING, GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"records": "3", "reference": "envelope 3"},
)
CLAIM_API = acts(
    (CLAIMING, GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"records": [3], "reference": "envelope 3"},
)
CHECK = acts(
    ("executor", GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"claims": _claims(world), "right": "yes"},
)
CHECK_API = acts(
    ("executor", GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"claims": _claims(world), "right": True},
)
CLOSE = acts(
    ("supervisor", frozenset()), exists=THERE, walked=WALKED,
    body=lambda world: {"attempts": 10, "conclusion": "nobody was recognised"},
    never="nothing is concluded while claims wait to be checked",
)  # fmt: skip


def _invitation(world):
    """To somebody who is not invited yet."""
    tester = world.people.other_tester
    return {"tester": tester.pk, "country": "CN", "task": "whom you know", "until": tester.access_until}


INVITE = acts(
    ("supervisor", GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=_invitation,
)
INVITE_API = acts(
    ("supervisor", GOES_ON),
    exists=THERE,
    walked=WALKED,
    body=lambda world: _invitation(world) | {"tester": "other_tester"},
)
INVITATION_END = acts(
    ("supervisor", THERE),
    exists=THERE,
    walked=WALKED,
    body=lambda world: {"reason": "they have tried enough"},
)


def tested(**more):
    """For who is invited alone, while the project goes on; to everybody else a tester's page does not exist."""
    return acts((TESTER, GOES_ON), refuses=TESTER, exists=THERE, walked=WALKED, **more)


CLAIMED = {
    "record": 4, "reference": "envelope 4", "grounds": "the town and the day", "certainty": "likely",
}  # fmt: skip
TABLE: Table = {
    "intrusion:page": {"GET": reads(walked=WALKED), "POST": OPEN},
    "intrusion:test": {"GET": reads(exists=THERE, walked=WALKED)},
    "intrusion:claim": {"POST": CLAIM},
    "intrusion:check": {"POST": CHECK},
    "intrusion:close": {"POST": CLOSE},
    "intrusion:invite": {
        "GET": acts(("supervisor", GOES_ON), exists=THERE, walked=WALKED, answers=frozenset({200})),
        "POST": INVITE,
    },
    "intrusion:invitation_end": {
        "GET": acts(
            ("supervisor", THERE),
            exists=THERE,
            walked=WALKED,
            answers=frozenset({200}),
        ),
        "POST": INVITATION_END,
    },
    "tester:list": {"GET": for_all(TESTER, answers=frozenset({200}))},
    "tester:case": {"GET": tested(), "POST": tested(body=lambda world: CLAIMED)},
    "tester:look": {"GET": tested()},
    "tester:file": {"GET": tested()},
    "api:tester-list": {"GET": for_all(TESTER, answers=frozenset({200}))},
    "api:tester-detail": {"GET": tested()},
    "api:tester-file": {"GET": tested()},
    "api:tester-claims": {"GET": tested(), "POST": tested(body=lambda world: CLAIMED)},
    "api:intrusion-invitations": {
        "GET": reads(exists=THERE, walked=WALKED),
        "POST": INVITE_API,
    },
    "api:intrusion-invitation-end": {"POST": INVITATION_END},
    "api:intrusion": {"GET": reads(walked=WALKED), "POST": OPEN},
    "api:intrusion-detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "api:intrusion-claims": {"POST": CLAIM_API},
    "api:intrusion-checks": {"POST": CHECK_API},
    "api:intrusion-close": {"POST": CLOSE},
}
