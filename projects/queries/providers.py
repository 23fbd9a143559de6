"""What questions and estimates leave in the store."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.datasets.store.holdings import HeldKind, Holder, holds_files

from .models import LocalEstimate

holds_files(Holder(LocalEstimate, "stored", HeldKind.SOURCE, _("Randomised answers"), "title"))
