"""Documents that the portal made: PDF files, encrypted at rest, known by their subject's content hash."""

from __future__ import annotations

import re
from string import ascii_uppercase

from django.conf import settings
from django.db import models
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord

from .kinds import KINDS


class Document(GovernedRecord):
    """One rendered document in one language about one content. It is never rewritten.

    ``sealed`` holds the bytes as written by :mod:`approvals.documents.sealing`; ``sha256`` is of the bytes
    in the clear, ``size`` their number.
    """

    project_id = models.UUIDField(db_index=True)
    kind = models.CharField(_("Kind"), max_length=40)
    subject_kind = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    subject_hash = models.CharField(_("Content hash"), max_length=64)
    number = models.CharField(_("Document number"), max_length=60)
    title = models.CharField(_("Title"), max_length=200)
    language = models.CharField(_("Language"), max_length=10)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField(_("Size"))
    sealed = models.BinaryField()
    created_at = models.DateTimeField(_("Made at"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )

    class Meta:
        ordering = ("-created_at", "language")
        verbose_name = _("document")
        indexes = [models.Index(fields=("subject_kind", "subject_id"))]
        constraints = [
            models.UniqueConstraint(
                fields=("kind", "subject_kind", "subject_id", "subject_hash", "language"),
                name="document_once_per_content_and_language",
            ),
            models.CheckConstraint(condition=models.Q(size__gt=0), name="document_is_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def subject(self) -> Subject:
        return Subject("document", str(self.pk), str(self)[:200], self.sha256)

    @property
    def filename(self) -> str:
        """The project's number, the kind in the document's language, and which of its series: 2026-0003-审批报告-v2.pdf."""
        project, _dash, own = self.number.rpartition("-")
        with translation.override(self.language):
            kind = str(KINDS.get(self.kind, self.kind))
        words = re.sub(r"[\s()（）]+", "-", kind.lower()).strip("-")
        return f"{project}-{words}-v{own.lstrip(ascii_uppercase)}.pdf"
