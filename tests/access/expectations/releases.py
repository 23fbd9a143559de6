"""Agreements, releases, deliveries: what the planning manager hands out and the recipient fetches."""

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from projects.releases.models import RecipientChange
from projects.workflow import State
from tests.fixtures import PASSWORD

from ..checkpoints import TERMINAL, at, since
from ..language import Table, acts, reads
from ..roles import RECIPIENT, SEES, SIGNED_IN

AGREEING = at(State.APPROVED, State.MONITORING)
RELEASED = since("monitoring")
IN_FORCE = at("monitoring", "suspended+released")
SCANNED = since("approved+agreed")
# A longer term waits for senior management.
CHANGED = since("monitoring")
END = {"reason": "the study is over"}


def _agreement(world):
    today = timezone.localdate()
    return {
        "recipient": world.people.recipient.pk, "organisation": "Institute", "purpose": "a study",
        "prohibits_reidentification": "on", "prohibits_linkage": "on", "prohibits_onward_sharing": "on",
        "signed_by": "Recipient Person", "signed_on": today, "valid_until": today + timedelta(days=30),
        "check_months": "12", "country": "CN",
        "file": SimpleUploadedFile("scan.pdf", b"%PDF-1.7 signed"),
    }  # fmt: skip


def _agreement_api(world):
    prohibitions = dict.fromkeys(
        ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing"), True
    )
    return {**_agreement(world), **prohibitions, "recipient": "recipient"}


def _change_decision(world):
    change = RecipientChange.objects.filter(project=world.project).first()
    return {
        "decision": "refuse", "approve": False, "reason": "not needed", "secret": PASSWORD,
        "content_hash": change.content_hash if change else "",
    }  # fmt: skip


def receives(*, at=RELEASED, **more):
    """For the recipient alone; to everybody else, the team included, a recipient's page does not exist."""
    return acts(("recipient", at), refuses=RECIPIENT, exists=RELEASED, **more)


AGREE = acts(("planner", AGREEING), body=_agreement, media="multipart")
AGREEMENT_END = acts(
    ("planner", since("approved+agreed")), ("supervisor", since("approved+agreed")), body=lambda world: END
)
RELEASE = acts(("planner", at("approved+agreed")))
RELEASE_END = acts(("planner", IN_FORCE), ("supervisor", IN_FORCE), body=lambda world: END)
REQUEST = receives(at=at("monitoring"), body=lambda world: {"notice_read": "on"})
# A project of controlled sharing hands out its file; looking within the portal is for enclaves.
ACCEPT = receives(
    at=frozenset(),
    never="the recipient has accepted the terms already",
    body=lambda world: {"accepted": "on"},
)
CHANGE_DECIDE = acts(("management", at("monitoring")), exists=CHANGED, body=_change_decision)
LOOK = receives(at=frozenset(), never="the project does not share as an enclave")

# The project of the walk shares under agreements, so nothing of it is published; who may do what with one that is
# published, suspended, withdrawn or gone is in tests/access/test_publications.py.
NOT_FOR_ALL = "the project does not share completely publicly"
PUBLISH = acts(
    ("planner", frozenset()),
    body=lambda world: {"title": "t", "summary": "s", "conditions": "c", "contact": "o", "irrevocable": "on"},
    never=NOT_FOR_ALL,
)
# The other project has none either, so these are not asked for where everything is.
NEVER = {"exists": frozenset(), "walked": at("closed"), "never": NOT_FOR_ALL}
PUBLICATION = acts(("supervisor", frozenset()), body=lambda world: END, **NEVER)

SHARE = acts(("planner", frozenset()), never="the recipe of this project splits nothing into shares")

# The other project of the walk has released the same file, so a result is related from the first run on.
MEASURE = acts(
    (frozenset({"planner", "executor", "supervisor"}), since("processing_review", but=TERMINAL)),
)

# Former recipients are told of it as well; the recipient fetches a file before the project is closed.
FETCHED = at("closed")
COPY = acts(
    ("recipient", FETCHED),
    exists=RELEASED,
    refuses=RECIPIENT,
    walked=at("monitoring", "closed"),
    body=lambda world: {"how": "deleted", "confirmed": True},
)
FETCH_DECIDE = acts(
    ("supervisor", at("monitoring")),
    exists=RELEASED,
    body=lambda world: {"decision": "refuse", "approve": False, "reason": "not needed", "secret": PASSWORD},
)
FETCH_ASK = receives(at=at("monitoring"), body=lambda world: {"file": 0, "purpose": "one more look"})
# Nobody has fetched a file where everything is, so these are not asked for there.
HANDED_OVER = {"exists": FETCHED, "walked": FETCHED}
SLIP = acts((SEES, FETCHED), **HANDED_OVER)
OWN_SLIP = acts(("recipient", FETCHED), refuses=RECIPIENT, **HANDED_OVER)
TABLE: Table = {
    "releases:fetches": {"GET": reads()},
    "releases:fetch_request": {"GET": reads(exists=RELEASED), "POST": FETCH_DECIDE},
    "releases:fetch_slip": {"POST": SLIP},
    "api:fetches": {"GET": reads()},
    "api:fetches-slip": {"POST": SLIP},
    "api:fetch-requests": {"GET": reads()},
    "api:fetch-requests-decide": {"POST": FETCH_DECIDE},
    "recipient_fetches:page": {"GET": receives(), "POST": FETCH_ASK},
    "recipient_fetches:slip": {"POST": OWN_SLIP},
    "api:receive-fetch-requests": {"GET": receives(), "POST": FETCH_ASK},
    "api:receive-fetches": {"GET": receives()},
    "api:receive-fetch-slip": {"POST": OWN_SLIP},
    "recipient_copies:page": {
        "GET": reads("recipient", at=RELEASED, exists=RELEASED, walked=at("monitoring", "closed")),
        "POST": COPY,
    },
    "api:receive-copy": {
        "GET": reads("recipient", at=RELEASED, exists=RELEASED, walked=at("monitoring", "closed")),
        "POST": COPY,
    },
    "releases:publications": {"GET": reads(), "POST": PUBLISH},
    "releases:publication": {
        "GET": reads(**NEVER),
        "POST": PUBLICATION,
    },
    "releases:publication_withdraw": {"POST": PUBLICATION},
    "api:publications": {"GET": reads(), "POST": PUBLISH},
    "api:publications-decide": {"POST": PUBLICATION},
    "api:publications-withdraw": {"POST": PUBLICATION},
    "releases:relatives": {"GET": reads()},
    "releases:relatives_measure": {"POST": MEASURE},
    "api:release-relatives": {"GET": reads(), "POST": MEASURE},
    "releases:page": {"GET": reads()},
    "releases:create": {"POST": RELEASE},
    "releases:end": {"POST": RELEASE_END},
    "releases:share_assign": {"POST": SHARE},
    "api:release-shares": {"GET": reads(), "POST": SHARE},
    "releases:agreement": {"GET": acts(("planner", AGREEING)), "POST": AGREE},
    "releases:agreement_text": {"POST": acts(("planner", AGREEING))},
    "releases:agreement_end": {"POST": AGREEMENT_END},
    "releases:scan": {"GET": reads(exists=SCANNED)},
    "releases:recipient_change": {"GET": reads(exists=CHANGED), "POST": CHANGE_DECIDE},
    "releases:recipient_change_scan": {"GET": reads(exists=CHANGED)},
    "api:recipient-changes": {"GET": reads()},
    "api:recipient-changes-decide": {"POST": CHANGE_DECIDE},
    "api:recipient-changes-scan": {"GET": reads(exists=CHANGED)},
    "api:receive-accept": {"POST": ACCEPT},
    "recipient:list": {"GET": reads(SIGNED_IN, names=RECIPIENT)},
    "recipient:detail": {"GET": receives()},
    "recipient:request": {"POST": REQUEST},
    "recipient:delivery": {"GET": receives()},
    "recipient:progress": {"GET": receives()},
    "recipient:download": {"GET": receives(at=at("monitoring"))},
    "recipient:look": {"GET": LOOK},
    "api:releases": {"GET": reads(), "POST": RELEASE},
    "api:releases-end": {"POST": RELEASE_END},
    "api:releases-deliveries": {"GET": reads()},
    "api:agreements": {
        "GET": reads(),
        "POST": acts(("planner", AGREEING), body=_agreement_api, media="multipart"),
    },
    "api:agreements-end": {"POST": AGREEMENT_END},
    "api:agreements-scan": {"GET": reads(exists=SCANNED)},
    "api:receive": {"GET": reads(SIGNED_IN, names=RECIPIENT)},
    "api:receive-detail": {"GET": receives()},
    "api:receive-request": {"POST": REQUEST},
    "api:receive-delivery": {"GET": receives()},
    "api:receive-download": {"GET": receives(at=at("monitoring"))},
}
