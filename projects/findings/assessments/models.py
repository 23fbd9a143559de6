"""The document of an outside assessment."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.governance.governed import GovernedRecord
from projects.core.assessments.models import AssessmentOrder
from projects.datasets.models import StoredFile


class AssessmentDocument(GovernedRecord):
    """What the outside body itself wrote or signed, in the encrypted store; written once. ``sha256``, in hexadecimal, and ``size`` in
    bytes are of the file that was received."""

    order = models.OneToOneField(AssessmentOrder, on_delete=models.PROTECT, related_name="document")
    # The database refuses to delete the file; asking here as well would be a statement more for each file that goes.
    stored = models.ForeignKey(StoredFile, on_delete=models.DO_NOTHING, related_name="+")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-kept_at",)
        verbose_name = _("document of an outside assessment")

    def __str__(self) -> str:
        return str(self.order)

    @property
    def project_id(self) -> uuid.UUID:
        return self.order.project_id
