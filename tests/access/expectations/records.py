"""The catalogue of posts, and what is on record about people."""

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from deid_portal.records.services import catalogue_decide
from deid_portal.records.trainings.selectors import people_concerned
from tests.deid_portal.records.test_records import POSTS
from tests.deid_portal.records.test_scans import PDF

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, PLANNERS, SIGNED_IN, STAFF

EDITORS = PLANNERS | ADMINISTRATOR
RECORD = {
    "kind": "agreement",
    "title": "Silence",
    "done_on": "2026-01-01",
    "passed": "yes",
    "kept_at": "folder 7",
}
SCANNED = {"record_id": lambda world, role, project: world.scanned_record.pk}
VERSION = {"version_id": lambda world, role, project: world.waiting_catalogue.pk}


def _scan(world):
    return {"file": SimpleUploadedFile("agreement.pdf", PDF)}


def inside(**more):
    return for_all(STAFF, refuses=SIGNED_IN, **more)


def edits(**more):
    return for_all(EDITORS, refuses=SIGNED_IN, **more)


def decides(**more):
    """Who proposed the version that waits does not decide on it."""
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=VERSION, **more)


def administers(**more):
    return for_all(ADMINISTRATOR, refuses=SIGNED_IN, **more)


def _none_waits(world):
    """The next version, after the one that waited was turned down."""
    second = world.people.administrator
    catalogue_decide(world.waiting_catalogue, accept=False, reason="not yet", by=second)
    return {"posts": POSTS, "reason": "our own"}


def _form(world):
    sent = _none_waits(world)
    fields = {f"{role}_{part}": said for role, row in POSTS.items() for part, said in row.items()}
    return fields | {"reason": sent["reason"]}


def _attended(world):
    """Everybody whom the training is for passed its test."""
    return {f"outcome_{one.pk}": "passed" for one in people_concerned(world.training)} | {
        "kept_at": "folder 9"
    }


def _attended_api(world):
    rows = [{"username": one.username, "outcome": "passed"} for one in people_concerned(world.training)]
    return {"attendance": rows, "kept_at": "folder 9"}


PLANNED = {
    "title": "Course", "teaches": "Techniques", "roles": ["executor"],
    "held_on": (timezone.localdate() + timedelta(days=2)).isoformat(),
}  # fmt: skip


TABLE: Table = {
    "records:catalogue": {"GET": inside(), "POST": edits(body=_form)},
    "records:catalogue_decide": {
        "POST": decides(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "records:records": {"GET": administers(), "POST": administers(body=lambda world: RECORD)},
    "records:take_back": {
        "POST": administers(body=lambda world: {f"{world.record.pk}-reason": "of somebody else"})
    },
    "records:scan": {
        "GET": administers(),
        "POST": administers(body=_scan, media="multipart"),
    },
    "records:scan_file": {"GET": administers(arguments=SCANNED)},
    "api:records-scan": {
        "GET": administers(arguments=SCANNED),
        "POST": administers(body=_scan, media="multipart"),
    },
    "records:trainings": {"GET": inside(), "POST": edits(body=lambda world: PLANNED)},
    "records:training": {"GET": inside()},
    "records:training_hold": {"POST": administers(body=_attended)},
    "records:training_cancel": {"POST": edits(body=lambda world: {"cancel-reason": "moved"})},
    "api:records-trainings": {"GET": inside(), "POST": edits(body=lambda world: PLANNED)},
    "api:records-training-attendance": {"GET": administers(), "POST": administers(body=_attended_api)},
    "api:records-training-cancel": {"POST": edits(body=lambda world: {"reason": "moved"})},
    "api:records-catalogue": {"GET": inside(), "POST": edits(body=_none_waits)},
    "api:records-catalogue-decide": {
        "POST": decides(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:records-list": {
        "GET": administers(),
        "POST": administers(body=lambda world: RECORD | {"passed": True}),
    },
    "api:records-take-back": {"POST": administers(body=lambda world: {"reason": "of somebody else"})},
}
