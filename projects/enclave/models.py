"""A query of a recipient over what was released in an enclave."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.releases.models import Release

from .enums import QueryState


@proven(project="project", many=True)
class EnclaveQuery(GovernedRecord):
    """One SELECT of one recipient, and what it found: for their eyes alone, until ``kept_until``.

    ``statement`` and ``result`` are encrypted files: both may say something of persons. The plaintext of the first begins with random
    bytes, so that its hash, which the log names, tells nothing of it. ``result`` has the rows, or DuckDB's words why there are none.
    ``tables`` and ``row_count`` are what was read and how many rows are shown; where ``is_cut`` the query found more.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="enclave_queries")
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="enclave_queries")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    statement = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    purpose = models.CharField(_("What it is needed for"), max_length=500, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    kept_until = models.DateTimeField(_("Kept until"))
    status = models.CharField(
        _("State"), max_length=8, choices=QueryState.choices, default=QueryState.RUNNING
    )
    failed_code = models.CharField(max_length=80, blank=True)
    # The database itself refuses: a PROTECT is one more statement for whoever clears a workspace.
    result = models.OneToOneField(StoredFile, on_delete=models.DO_NOTHING, related_name="+", null=True)
    tables = models.JSONField(_("Tables"), default=list)
    row_count = models.PositiveIntegerField(_("Rows"), null=True)
    is_cut = models.BooleanField(default=False)
    milliseconds = models.PositiveIntegerField(_("Milliseconds"), null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("query in the enclave")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="enclave_query_number_once_per_project"),
            models.UniqueConstraint(
                fields=("release", "asked_by"), condition=Q(status="running"), name="enclave_query_one_at_a_time"
            ),
            models.CheckConstraint(condition=Q(status__in=QueryState.values), name="enclave_query_status_known"),
            models.CheckConstraint(
                condition=Q(status="answered", result__isnull=False, row_count__isnull=False, milliseconds__isnull=False)
                | (Q(status="failed", row_count=None, is_cut=False))
                | Q(status="running", result=None, row_count=None, milliseconds=None, is_cut=False),
                name="enclave_query_answered_whole",
            ),
            models.CheckConstraint(
                condition=(Q(status="failed") & ~Q(failed_code="")) | (~Q(status="failed") & Q(failed_code="")),
                name="enclave_query_failure_says_why",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.project.number} E{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("enclave_query", str(self.pk), str(self), self.statement.sha256)

    @property
    def is_kept(self) -> bool:
        """Whether its text is still there."""
        return self.statement.destroyed_at is None
