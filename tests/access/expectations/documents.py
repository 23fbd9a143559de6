"""Documents: for who sees the project that they are about."""

from ..language import Table, reads

TABLE: Table = {
    "documents:open": {"GET": reads()},
    "api:document-detail": {"GET": reads()},
    "api:document-content": {"GET": reads()},
}
