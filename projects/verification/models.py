"""What was measured on the written result file, and whether the gate let it pass."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.jobs.models import NUMBERED_ONCE, WHOLE_OR_ABSENT, JobResult
from projects.processing.models import Run

from .reports.comparison import CandidateResult
from .reports.gate import CheckResult, Degree, Measurement, checks_of
from .sign_off.opinions.models import UtilityOpinion as UtilityOpinion
from .trials.models import Trial as Trial


@proven(project="project", without=("max_risk", "classes_id"), many=True)
class Verification(JobResult):
    """One measurement of one run's result against the targets of step 1; never changed once complete.

    ``checks`` is the gate table and ``report`` holds the full measurements, as JSON that is hashed;
    :attr:`results` and :attr:`measurement` read them. ``content_hash``
    covers the checks, the report, the result's SHA-256, the recipe's hash and the targets' hash.
    ``max_risk`` is the greatest risk that ``checks`` know, so that many projects are listed by it; it follows from them and is not hashed.
    ``ended_at`` is also set when the measurement broke off; then ``passed`` stays None for good. ``classes`` is an encrypted file
    with the smallest classes of each table and their values, kept of the newest measurement; None where none were listed.
    """

    letter = "V"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="verifications")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="verifications")
    number = models.PositiveIntegerField(_("Verification"))
    checks = models.JSONField(default=list)
    report = models.JSONField(default=dict)
    targets_hash = models.CharField(max_length=64)
    passed = models.BooleanField(null=True)
    max_risk = models.FloatField(null=True)
    # The database itself refuses: a PROTECT is one more statement for whoever clears a workspace.
    classes = models.OneToOneField(StoredFile, on_delete=models.DO_NOTHING, related_name="+", null=True)
    content_hash = models.CharField(max_length=64, blank=True)

    class Meta(JobResult.Meta):
        verbose_name = _("verification")
        # The portfolio's picture: the projects of the greatest risk.
        indexes = [
            models.Index(
                fields=("-max_risk",), condition=Q(max_risk__isnull=False), name="verification_by_risk"
            )
        ]
        constraints = [
            NUMBERED_ONCE,
            # Closer than the base's: a measurement has an answer as well.
            models.CheckConstraint(
                condition=Q(passed=None, content_hash="", measured_at=None)
                | (Q(passed__isnull=False, measured_at__isnull=False) & ~Q(content_hash="")),
                name="verification_whole_or_absent",
            ),
        ]

    @property
    def results(self) -> list[CheckResult]:
        """The gate table."""
        return checks_of(self.checks)

    @property
    def degree_below(self) -> Degree | None:
        """The degree of anonymisation where it is below 1 (T/ISC 0078 C.2); None where it is reached, and where no smallest
        class says anything of the result."""
        stored = self.report.get("degree")
        found = Degree.model_validate(stored) if stored else None
        return found if found and not found.passed else None

    @property
    def measurement(self) -> Measurement:
        """Everything that was measured, read anew at each call."""
        return Measurement.model_validate({"checks": self.checks, "report": self.report})


class Comparison(JobResult):
    """Candidate runs, each measured by the checks of the gate, and which of them goes forward (5.4.3, 5.5).

    ``run_ids`` are the candidates in the order of the page, ``results`` what was measured of each as JSON, read by
    :attr:`candidates`; ``content_hash`` covers results and targets. Measured once, chosen from once.
    """

    letter = "C"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="comparisons")
    number = models.PositiveIntegerField(_("Comparison"))
    run_ids = models.JSONField()
    targets_hash = models.CharField(max_length=64)
    results = models.JSONField(default=list)
    chosen_run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="+", null=True)
    choice_reason = models.TextField(blank=True)
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    chosen_at = models.DateTimeField(null=True)

    class Meta(JobResult.Meta):
        verbose_name = _("comparison")
        constraints = [
            NUMBERED_ONCE,
            WHOLE_OR_ABSENT,
            models.CheckConstraint(
                condition=Q(chosen_run=None, chosen_by=None, chosen_at=None, choice_reason="")
                | (
                    Q(chosen_run__isnull=False, chosen_by__isnull=False, chosen_at__isnull=False)
                    & Q(measured_at__isnull=False)
                    & ~Q(choice_reason="")
                ),
                name="comparison_choice_whole_or_absent",
            ),
        ]

    @property
    def candidates(self) -> list[CandidateResult]:
        """What was measured of each candidate."""
        return [CandidateResult.model_validate(one) for one in self.results]
