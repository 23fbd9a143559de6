"""What tables of statistics leave in the store."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.datasets.store.holdings import HeldKind, Holder, holds_files

from .models import Tabulation

holds_files(
    Holder(Tabulation, "imported", HeldKind.SOURCE, _("Cells that were brought in"), "title"),
    Holder(Tabulation, "report", HeldKind.RESULT, _("Cells of a table of statistics"), "title"),
    Holder(Tabulation, "result", HeldKind.RESULT, _("Table of statistics as it goes out"), "title"),
)
