"""Publications of completely public releases, and how often their files were fetched."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project

from ...enums import PublicationStatus as Status


@proven(project="project")
class Publication(GovernedRecord):
    """A completely public release under an address that needs no sign-in (GB/T 37964 3.12).

    The planning manager proposes what the page says and under which conditions; the supervisor approves exactly that, by
    ``content_hash``. Then a job verifies the seal over the stored bytes; ``version`` counts what has been published of the
    project, ``designation`` is what the result could be called at that moment, and ``token`` is its address.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="publications")
    release = models.ForeignKey("releases.Release", on_delete=models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField(_("Publication"))
    token = models.CharField(max_length=43, unique=True)
    title = models.CharField(_("Title"), max_length=200)
    summary = models.TextField(_("What the data are about"))
    conditions = models.TextField(_("Conditions of use"))
    contact = models.CharField(_("Whom readers ask"), max_length=200)
    content_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    published_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(_("Version"), null=True)
    designation = models.CharField(max_length=20, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    ended_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("publication")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="publication_number_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("project", "version"), name="publication_version_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("release",),
                condition=Q(status__in=(Status.WAITING, Status.VERIFYING, Status.LIVE)),
                name="publication_one_of_a_release",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")),
                name="publication_second_person",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=(Status.WAITING, Status.REPLACED, Status.LAPSED),
                    decided_by=None,
                    decided_at=None,
                )
                | Q(
                    status__in=(
                        Status.REFUSED, Status.VERIFYING, Status.LIVE, Status.STOPPED, Status.WITHDRAWN
                    ),
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                )
                & ~Q(reason=""),
                name="publication_decided_whole",
            ),
            models.CheckConstraint(
                condition=Q(status__in=(Status.LIVE, Status.WITHDRAWN), published_at__isnull=False)
                & Q(version__isnull=False)
                & ~Q(designation="")
                | Q(published_at=None, version=None, designation="")
                & ~Q(status__in=(Status.LIVE, Status.WITHDRAWN)),
                name="publication_published_whole",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.WITHDRAWN, ended_at__isnull=False, ended_by__isnull=False)
                & ~Q(ended_why="")
                | Q(status=Status.LAPSED, ended_at__isnull=False, ended_by=None) & ~Q(ended_why="")
                | Q(ended_at=None, ended_by=None, ended_why="")
                & ~Q(status__in=(Status.WITHDRAWN, Status.LAPSED)),
                name="publication_withdrawn_whole",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.title

    @property
    def subject(self) -> Subject:
        return Subject("publication", str(self.pk), str(self), self.content_hash)

    @property
    def fetched(self) -> int:
        """How often its files were fetched, all together."""
        return sum(one.count for one in self.downloads.all())


class PublicationDownloads(models.Model):
    """How often a file of a publication was fetched on one day; nothing is kept of who fetched it."""

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="downloads")
    day = models.DateField()
    file = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("downloads of a publication")
        constraints = [
            models.UniqueConstraint(
                fields=("publication", "day", "file"), name="publication_downloads_once_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.publication} {self.day}: {self.count}"
