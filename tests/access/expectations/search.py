"""The search: everybody finds what they may see and nothing else, so both projects are searched for by everybody."""

from ..language import Table, for_all, reads
from ..roles import KNOW_OTHER, RECIPIENT, SEES, SIGNED_IN

# Both titles have this word.
FIND = reads(
    SIGNED_IN,
    names=SEES | RECIPIENT,
    names_other=KNOW_OTHER,
    body=lambda world: {"query": "study"},
)
TABLE: Table = {
    "search:page": {"GET": for_all(SIGNED_IN), "POST": FIND},
    "api:search": {"POST": FIND},
}
