"""A table of statistics, from its definition to the signature that lets recipients have it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile
from projects.processing.models import RunTable

from .definition import Definition
from .enums import TableStatus


def _person() -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)


def _said(who: str) -> Q:
    """Somebody has said it, when and why."""
    return Q(**{f"{who}_by__isnull": False, f"{who}_at__isnull": False}) & ~Q(**{f"{who}_reason": ""})


def _unsaid(who: str) -> Q:
    return Q(**{f"{who}_by": None, f"{who}_at": None, f"{who}_reason": ""})


@proven(project="project", many=True)
class Tabulation(GovernedRecord):
    """One table: made by the executor, reviewed by the supervisor, signed by senior management; three different persons.

    In an enclave a recipient asks for it instead, for a ``purpose``: it is made from the released rows of ``run_table``.
    Else it is made from ``dataset``, whose persons ``person_key`` tells apart, or from the cells of ``imported``. ``rules_id`` is the version
    of the secret rules. ``report`` is an encrypted file with every cell and why it is hidden; ``result`` the table as
    it goes out, whose SHA-256 is what is reviewed and signed.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="tabulations")
    number = models.PositiveIntegerField(_("Number"))
    title = models.CharField(_("Title"), max_length=120)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="+", null=True)
    person_key = models.JSONField(default=list)
    run_table = models.ForeignKey(RunTable, on_delete=models.PROTECT, related_name="+", null=True)
    purpose = models.CharField(_("What it is needed for"), max_length=500, blank=True)
    imported = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    definition = models.JSONField()
    rules_id = models.UUIDField()
    rules_name = models.CharField(_("Rules"), max_length=80)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(
        _("State"), max_length=10, choices=TableStatus.choices, default=TableStatus.RUNNING
    )
    failed_code = models.CharField(max_length=80, blank=True)
    report = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    result = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    result_sha256 = models.CharField(max_length=64, blank=True)
    reviewed_by = _person()
    reviewed_at = models.DateTimeField(null=True)
    reviewed_reason = models.CharField(_("Reason"), max_length=500, blank=True)
    signed_by = _person()
    signed_at = models.DateTimeField(null=True)
    signed_reason = models.CharField(_("Reason"), max_length=500, blank=True)
    refused_by = _person()
    refused_at = models.DateTimeField(null=True)
    refused_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("table of statistics")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="tabulation_number_once_per_project"),
            models.CheckConstraint(
                condition=Q(dataset=None, imported__isnull=False) | Q(dataset__isnull=False, imported=None),
                name="tabulation_has_one_source",
            ),
            models.CheckConstraint(
                condition=Q(run_table=None, purpose="") | Q(run_table__isnull=False, dataset__isnull=False) & ~Q(purpose=""),
                name="tabulation_requested_for_a_purpose",
            ),
            models.CheckConstraint(condition=Q(status__in=TableStatus.values), name="tabulation_status_known"),
            models.CheckConstraint(
                condition=(Q(status="failed") & ~Q(failed_code="")) | (~Q(status="failed") & Q(failed_code="")),
                name="tabulation_failure_says_why",
            ),
            models.CheckConstraint(
                condition=Q(status__in=("running", "failed"), report=None, result=None, result_sha256="")
                | Q(status="open", report__isnull=False, result=None, result_sha256="")
                | (
                    Q(status__in=("protected", "reviewed", "approved", "refused"), report__isnull=False, result__isnull=False)
                    & ~Q(result_sha256="")
                ),
                name="tabulation_goes_out_only_when_closed",
            ),
            models.CheckConstraint(
                condition=(Q(status__in=("running", "failed", "open", "protected")) & _unsaid("reviewed") & _unsaid("signed") & _unsaid("refused"))
                | (Q(status="reviewed") & _said("reviewed") & _unsaid("signed") & _unsaid("refused"))
                | (Q(status="approved") & _said("reviewed") & _said("signed") & _unsaid("refused"))
                | (Q(status="refused") & _said("refused")),
                name="tabulation_decided_whole",
            ),
            models.CheckConstraint(
                condition=(Q(reviewed_by=None) | ~Q(reviewed_by=F("made_by")))
                & (Q(signed_by=None) | (~Q(signed_by=F("made_by")) & ~Q(signed_by=F("reviewed_by"))))
                & (Q(refused_by=None) | ~Q(refused_by=F("made_by"))),
                name="tabulation_other_persons",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.project.number} T{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("tabulation", str(self.pk), str(self), self.result_sha256)

    @property
    def defined(self) -> Definition:
        return Definition.model_validate(self.definition)

    @property
    def measured(self) -> tuple[str, str, str]:
        """What the cells hold, as (kind, column, holding); where each row is a person, rows that are counted are persons."""
        one = self.defined
        each_a_person = self.dataset_id is not None and not self.person_key and not one.holding
        return "persons" if one.kind == "rows" and each_a_person else one.kind, one.column, one.holding

    @property
    def file_name(self) -> str:
        return f"{self.project.number}-T{self.number}.csv"
