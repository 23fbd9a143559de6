"""What belongs to no package: language, gallery, schema."""

from ..checkpoints import at
from ..language import Table, for_all, public
from ..roles import SIGNED_IN

TABLE: Table = {
    "set_language": {"POST": public(body=lambda world, role: {"language": "en", "next": "/"})},
    "ui:gallery": {"GET": for_all(SIGNED_IN)},
    "ui:gallery_form": {"GET": for_all(SIGNED_IN), "POST": for_all(SIGNED_IN)},
    "ui:gallery_job": {"GET": for_all(SIGNED_IN)},
    # Slow to make and the same for everybody: once is enough.
    "api:schema": {"GET": for_all(SIGNED_IN, walked=at("monitoring"))},
    "api:docs": {"GET": for_all(SIGNED_IN)},
}
