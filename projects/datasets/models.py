"""Source files and everything else that lies encrypted in the store."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project
from techniques.core.messages import filled

from .enums import DatasetStatus


class StoredFile(models.Model):
    """One encrypted file; ``store.py`` reads and writes it.

    ``size`` in bytes and ``sha256`` (hex) are of the plaintext. The file's own key is here, wrapped by
    the master key: emptying it destroys the content for good. ``scope`` and ``name`` are set while the
    file belongs to an ``EncryptedWorkspace``. The row holds no content, so it needs no audit event;
    whoever decides about a file (a data set, a run) has one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    purpose = models.CharField(max_length=40)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    wrapped_key = models.BinaryField()
    scope = models.CharField(max_length=120, blank=True)
    name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    destroyed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("scope", "name"), condition=~Q(scope=""), name="storedfile_name_once_per_scope"
            ),
            models.CheckConstraint(
                condition=Q(scope="", name="") | (~Q(scope="") & ~Q(name="")),
                name="storedfile_scope_with_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk}"

    @property
    def path(self) -> Path:
        """The file of the ciphertext; named by the id alone, never by a name that somebody gave."""
        return Path(settings.DEID_STORE_DIR) / self.pk.hex[:2] / f"{self.pk.hex}.enc"

    @property
    def context(self) -> str:
        """What the wrapped key is bound to."""
        return f"file:{self.pk}:{self.sha256}:{self.size}"


class Table(GovernedRecord):
    """A table of a project; each has at least one (ADR 10).

    ``position`` 0 is the table that the project came with. People see names only where there are several.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="tables")
    name = models.CharField(_("Table"), max_length=40)
    position = models.PositiveIntegerField()
    declared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    declared_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("position", "declared_at")
        verbose_name = _("table")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "name"), condition=Q(removed_at=None), name="table_name_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("project",),
                condition=Q(removed_at=None, position=0),
                name="table_one_first_per_project",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_first(self) -> bool:
        """Whether the project came with this table."""
        return self.position == 0


class TableLink(GovernedRecord):
    """A column that refers to a column of another table, and whether that joins in the raw data.

    ``of_person``: the values of the two columns stand for persons. ``counts`` are what the newest check
    counted (``techniques.tables.joins.JoinCounts``), of the files with ``source_sha256`` and ``target_sha256``.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="table_links")
    source = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    # As long as the readers of tables let a name be (techniques.tables.limits).
    source_column = models.CharField(max_length=512)
    target = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    target_column = models.CharField(max_length=512)
    of_person = models.BooleanField(default=True)
    counts = models.JSONField(default=dict)
    source_sha256 = models.CharField(max_length=64, blank=True)
    target_sha256 = models.CharField(max_length=64, blank=True)
    checked_at = models.DateTimeField(null=True)
    declared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    declared_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("declared_at", "id")
        verbose_name = _("link between tables")
        constraints = [
            models.UniqueConstraint(
                fields=("source", "source_column", "target", "target_column"),
                condition=Q(removed_at=None),
                name="tablelink_declared_once",
            ),
            models.CheckConstraint(
                condition=~Q(source=models.F("target")), name="tablelink_between_two_tables"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source.name}.{self.source_column} → {self.target.name}.{self.target_column}"


class Dataset(GovernedRecord):
    """An uploaded table. A refused one keeps its row and loses its content.

    ``population``: it is no source, but a register in which somebody could look for the persons of the table (B.1.4.1).

    ``format`` is the JSON of ``techniques.tables.FileFormat``: {} until detected, then as detected, and
    from the confirmation on as confirmed. ``columns`` are the names in their order; ``profile`` what the
    check measured (JSON). ``preview_problem`` (code, message, params) says why the file cannot be read in the
    detected format, for the person who may correct that. ``sample`` are the first rows, encrypted, for previews. ``replaces`` is the
    data set that was current before.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="datasets")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="datasets")
    population = models.BooleanField(_("Population table"), default=False)
    name = models.CharField(_("File name"), max_length=200)
    stored = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    sample = models.OneToOneField(
        StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    format = models.JSONField(default=dict)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    confirmed_at = models.DateTimeField(null=True)
    status = models.CharField(
        _("State"), max_length=10, choices=DatasetStatus.choices, default=DatasetStatus.UPLOADED
    )
    size = models.BigIntegerField(_("Size"))
    sha256 = models.CharField("SHA-256", max_length=64)
    rows = models.BigIntegerField(_("Rows"), null=True)
    columns = models.JSONField(default=list)
    profile = models.JSONField(default=dict)
    preview_problem = models.JSONField(default=dict)
    refused_code = models.CharField(max_length=80, blank=True)
    refused_message = models.TextField(blank=True)
    refused_params = models.JSONField(default=dict)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(_("Uploaded"), auto_now_add=True)
    replaces = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="replaced_by", null=True, blank=True
    )

    class Meta:
        ordering = ("-uploaded_at",)
        verbose_name = _("data set")
        constraints = [
            models.CheckConstraint(
                condition=(Q(status="refused") & ~Q(refused_code=""))
                | (~Q(status="refused") & Q(refused_code="")),
                name="dataset_refusal_says_why",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by=None, confirmed_at=None)
                | Q(confirmed_by__isnull=False, confirmed_at__isnull=False),
                name="dataset_confirmation_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=("checking", "ready")) | Q(confirmed_at__isnull=False),
                name="dataset_checked_after_confirmation",
            ),
            models.CheckConstraint(
                condition=~Q(status="ready") | Q(rows__isnull=False), name="dataset_ready_knows_its_rows"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The file's name for the log; its own name may say whose data it holds."""
        return f"#{self.sha256[:12]}"

    @property
    def subject(self) -> Subject:
        return Subject("dataset", str(self.pk), self.label, self.sha256)

    @property
    def is_ready(self) -> bool:
        return self.status == DatasetStatus.READY

    @property
    def refused_text(self) -> str:
        """What is wrong, where, and how to correct it, in the reader's language."""
        return _sentence(self.refused_message, self.refused_params)

    @property
    def preview_problem_text(self) -> str:
        """Why there is no preview, in the reader's language."""
        return _sentence(self.preview_problem.get("message", ""), self.preview_problem.get("params", {}))


def _sentence(message: str, params: dict[str, Any]) -> str:
    if not message:
        return ""
    text = gettext(message)
    return filled(text, params) if params else text
