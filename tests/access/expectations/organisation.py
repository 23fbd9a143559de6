"""The metadata table and the rule library: outside people do not see them, few change them."""

from django.core.files.uploadedfile import SimpleUploadedFile

from deid_portal.organisation import exchange, selectors

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, PLANNERS, SIGNED_IN, STAFF

ENTRY = {
    "name": "Locker number", "meaning": "Number of a locker", "format": "L and four digits",
    "data_types": "text", "field_names": "locker_no", "role": "quasi", "reason": "we have lockers",
}  # fmt: skip
ENTRY_API = {**ENTRY, "data_types": ["text"], "field_names": ["locker_no"]}
EDITORS = PLANNERS | ADMINISTRATOR
KIND = {"kind": "person_name"}


def inside(**more):
    return for_all(STAFF, refuses=SIGNED_IN, **more)


def edits(**more):
    return for_all(EDITORS, refuses=SIGNED_IN, **more)


def _table(world, role):
    text = exchange.table_write(selectors.metadata_entries()[:5])
    return {"file": SimpleUploadedFile("table.csv", text.encode()), "reason": "a shorter table"}


TABLE: Table = {
    "organisation:page": {"GET": inside()},
    "organisation:metadata": {"GET": inside()},
    "organisation:metadata_add": {"GET": edits(), "POST": edits(body=lambda world, role: ENTRY)},
    "organisation:metadata_export": {"GET": inside()},
    "organisation:metadata_import": {"GET": edits(), "POST": edits(body=_table, media="multipart")},
    "organisation:metadata_versions": {"GET": inside()},
    "organisation:metadata_version": {"GET": inside(arguments={"number": 1})},
    "organisation:metadata_edit": {
        "GET": edits(arguments=KIND),
        "POST": edits(arguments=KIND, body=lambda world, role: ENTRY),
    },
    "organisation:metadata_remove": {
        "POST": edits(arguments=KIND, body=lambda world, role: {"remove-reason": "not ours"})
    },
    "organisation:cryptography": {
        "GET": inside(),
        "POST": edits(body=lambda world, role: {"wanted": "national", "reason": "an order of the ministry"}),
    },
    "organisation:rules": {"GET": inside()},
    "api:organisation-metadata": {"GET": inside(), "POST": edits(body=lambda world, role: ENTRY_API)},
    "api:organisation-metadata-file": {
        "GET": inside(),
        "POST": edits(body=_table, media="multipart"),
    },
    "api:organisation-metadata-versions": {"GET": inside()},
    "api:organisation-metadata-detail": {
        "GET": inside(arguments=KIND),
        "PUT": edits(arguments=KIND, body=lambda world, role: ENTRY_API),
        "DELETE": edits(arguments=KIND, body=lambda world, role: {"reason": "not ours"}),
    },
    "api:organisation-cryptography": {
        "GET": inside(),
        "POST": edits(body=lambda world, role: {"national_only": True, "reason": "an order of the ministry"}),
    },
    "api:organisation-rules": {"GET": inside()},
}
