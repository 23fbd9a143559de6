"""What belongs to no package: language, gallery, schema."""

from ..checkpoints import at
from ..language import Table, for_all, public
from ..roles import RECIPIENT, STAFF

# Nothing is published in the walk; what is, is in tests/access/test_publications.py.
UNKNOWN = public(answers=frozenset({404}), never="nothing is published in the walk")

TABLE: Table = {
    "published:page": {"GET": UNKNOWN},
    "published:download": {"GET": UNKNOWN},
    "api:published": {"GET": UNKNOWN},
    "api:published-file": {"GET": UNKNOWN},
    "set_language": {"POST": public(body=lambda world: {"language": "en", "next": "/"})},
    "ui:gallery": {"GET": for_all(STAFF, refuses=RECIPIENT)},
    "ui:gallery_form": {"GET": for_all(STAFF, refuses=RECIPIENT), "POST": for_all(STAFF, refuses=RECIPIENT)},
    "ui:gallery_job": {"GET": for_all(STAFF, refuses=RECIPIENT)},
    # Slow to make and the same for everybody: once is enough.
    "api:schema": {"GET": for_all(STAFF, refuses=RECIPIENT, walked=at("monitoring"))},
    "api:docs": {"GET": for_all(STAFF, refuses=RECIPIENT)},
}
