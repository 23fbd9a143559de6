"""What the records of staff tell the store: whose files are kept."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.datasets.store.holdings import HeldKind, Holder, holds_files

from .models import RecordScan

holds_files(
    Holder(RecordScan, "stored", HeldKind.EVIDENCE, _("Scan of a record of staff"), "record__title", path="")
)
