"""Sentences of the audit log about data sets."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

audit_words("kind", {"csv": "CSV", "xlsx": "XLSX", "parquet": "Parquet"})

DATASET_UPLOADED = audit_action("dataset.uploaded", _("%(actor)s uploaded “%(subject)s” (%(size)s bytes)"))
DATASET_DETECTED = audit_action("dataset.detected", _("The format of “%(subject)s” was detected: %(kind)s"))
DATASET_CONFIRMED = audit_action(
    "dataset.confirmed", _("%(actor)s confirmed the format of “%(subject)s”: %(kind)s")
)
DATASET_READY = audit_action(
    "dataset.ready", _("“%(subject)s” was checked to its last row: %(rows)s rows, %(columns)s columns")
)
DATASET_REFUSED = audit_action(
    "dataset.refused", _("“%(subject)s” was refused in full, and its content was destroyed (%(code)s)")
)
DATASET_REOPENED = audit_action(
    "dataset.reopened",
    _("The check of “%(subject)s” was not completed; its format can be confirmed again"),
)
TABLES_DECLARED = audit_action("dataset.tables_declared", _("%(actor)s declared the tables: %(tables)s"))
LINKS_DECLARED = audit_action(
    "dataset.links_declared", _("%(actor)s declared %(count)s links between tables: %(links)s")
)
LINKS_CHECKED = audit_action(
    "dataset.links_checked",
    _("The links between the tables were checked on the data: %(joined)s of %(rows)s rows join"),
)
DATASET_RAW_LOOK = audit_action(
    "dataset.raw_look", _("%(actor)s viewed %(rows)s unmasked rows of “%(subject)s”: %(reason)s")
)
