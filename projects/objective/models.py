"""The target of a project, and the versions of its plan that were submitted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel, GovernedRecord
from approvals.governance.proven import proven
from projects.core.drafts.models import Draft
from projects.core.models import Project
from projects.datasets.models import StoredFile

from .enums import NoticeKind, Part
from .plan.saved.models import SavedPlan as SavedPlan
from .targets.register.content import FoundRelease, Question

# What decisions and documents about a version call it.
SUBJECT_KIND = "plan"
# The approved plan's document is about one sign-off.
APPROVAL_SUBJECT = "signoff"
APPROVAL_KIND = "plan_approval"


class PrivacyNotice(GovernedRecord):
    """The privacy notice or consent text that the persons in the data were given (5.2.2 c), as a file.

    Notices are added, never changed. The one that counts is the target's; the others keep their content as
    long as a submitted version of the plan names them. ``size`` in bytes, ``sha256`` in hexadecimal.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="privacy_notices")
    name = models.CharField(_("File name"), max_length=200)
    kind = models.CharField(max_length=3, choices=NoticeKind.choices)
    stored = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    size = models.BigIntegerField(_("Size"))
    sha256 = models.CharField("SHA-256", max_length=64)
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-kept_at",)
        verbose_name = _("privacy notice")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=NoticeKind.values), name="privacy_notice_kind_known"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        """Without the file name: that may say of whom it is."""
        return Subject("privacy_notice", str(self.pk), f"#{self.sha256[:12]}", self.sha256)

    @property
    def file_name(self) -> str:
        """The name to save it under; its ending says what the bytes are, whatever its sender called it."""
        ending = f".{self.kind}"
        return self.name if self.name.lower().endswith(ending) else self.name + ending


@proven(project="project", many=True)
class ProjectNeed(GovernedRecord):
    """Why the data are needed and whether it can be done, as the executor raised it, and the planning manager's answer.

    ``content`` is a :class:`.need.content.Need`. Needs are added, never changed; the newest is the target's. Triggers
    (``projects.objective.plan.need.triggers``) keep what was raised and answered, and the two persons different.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="needs")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)
    is_accepted = models.BooleanField(_("Accepted"), null=True)
    answer = models.CharField(_("Reason"), max_length=2000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("need")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="need_number_once_per_project"),
            models.CheckConstraint(
                condition=models.Q(answered_by=None) | ~models.Q(answered_by=models.F("raised_by")),
                name="need_second_person",
            ),
            models.CheckConstraint(
                condition=models.Q(is_accepted=None, answer="", answered_by=None, answered_at=None)
                | (
                    models.Q(is_accepted__isnull=False, answered_by__isnull=False, answered_at__isnull=False)
                    & ~models.Q(answer="")
                ),
                name="need_answered_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} N{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("need", str(self.pk), str(self), self.content_hash)


class RegisterLookup(GovernedRecord):
    """One look-up of the organisation's register of releases for a target (5.2.2 f): what was asked, and what was found then, as
    the planning manager may know it. ``asked`` is a :class:`.targets.register.content.Question`, ``found`` a list of
    :class:`.targets.register.content.FoundRelease`. Look-ups are added, never changed; the newest counts."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="register_lookups")
    asked = models.JSONField()
    found = models.JSONField()
    looked_up_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    looked_up_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-looked_up_at",)
        verbose_name = _("look-up of the register of releases")

    def __str__(self) -> str:
        return f"{self.project.number} {self.looked_up_at:%Y-%m-%d}"

    @property
    def question(self) -> Question:
        return Question(**self.asked)

    @property
    def releases(self) -> list[FoundRelease]:
        return [FoundRelease(**one) for one in self.found]


class PartDraft(Draft):
    """The form of one step of the target as somebody left it half filled, until the step is saved whole.

    Whoever may save the step goes on with it. ``seen`` tells what was saved when the form was opened. ``copied_from`` is the number
    of the project whose answers they are, ``saved_plan`` the template, until a person leaves their own.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="part_drafts")
    part = models.CharField(max_length=10, choices=Part.choices)
    seen = models.CharField(max_length=16, blank=True)
    copied_from = models.CharField(max_length=20, blank=True)
    saved_plan = models.ForeignKey("SavedPlan", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("draft of a step of the target")
        constraints = [
            models.UniqueConstraint(fields=("project", "part"), name="objective_one_draft_of_each_step")
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.part}"

    @property
    def is_copied(self) -> bool:
        """Whether the answers were given elsewhere, for another project or a template."""
        return bool(self.copied_from) or self.saved_plan_id is not None


class Objective(GovernedModel):
    """The target as it is determined so far (5.2.2 to 5.2.4). Each part is null until saved.

    ``scope``, ``factors`` and ``risk`` hold the pydantic models of :mod:`.content` and :mod:`.targets`,
    ``utility`` a list of utility targets, ``plan`` the text of each section. ``plan_basis`` is the hash of
    the parts that the plan was written about. ``rests_on`` lists the versions of laws, standards and policies of the library that held
    when the scope was saved (:mod:`.targets.grounds`); null where there was none. ``notice``, part of the scope, is the privacy notice that the persons were given.
    ``need`` is the newest need that the executor raised; null where none was.
    """

    project = models.OneToOneField(
        Project, on_delete=models.PROTECT, primary_key=True, related_name="objective"
    )
    scope = models.JSONField(null=True)
    factors = models.JSONField(null=True)
    risk = models.JSONField(null=True)
    utility = models.JSONField(null=True)
    plan = models.JSONField(null=True)
    rests_on = models.JSONField(null=True)
    plan_basis = models.CharField(max_length=64, blank=True)
    notice = models.ForeignKey(PrivacyNotice, on_delete=models.PROTECT, null=True, related_name="+")
    need = models.ForeignKey(ProjectNeed, on_delete=models.PROTECT, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("target")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(plan__isnull=True, plan_basis="")
                | (models.Q(plan__isnull=False) & ~models.Q(plan_basis="")),
                name="objective_plan_knows_its_basis",
            )
        ]

    def __str__(self) -> str:
        return str(self.project)


@proven(project="project", many=True)
class PlanVersion(GovernedRecord):
    """One submitted version of target and plan, frozen: what a review and a sign-off judge."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="plan_versions")
    number = models.PositiveIntegerField(_("Version"))
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("-number",)
        verbose_name = _("plan version")
        constraints = [models.UniqueConstraint(fields=("project", "number"), name="plan_version_number_once")]

    def __str__(self) -> str:
        return f"{self.project} v{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject(SUBJECT_KIND, str(self.pk), str(self), self.content_hash)


class ContextAssessment(GovernedRecord):
    """The probability of an attack (B.1.4.2): the answers, the figures computed from them, and whether the target took them over.

    ``answers`` and ``finding`` are the engine's (``techniques.disclosure_risk.scales.context``), ``content_hash`` its hash over both.
    Assessments are added, never changed; only the mark that the target took one over is set later.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="context_assessments")
    number = models.PositiveIntegerField(_("Assessment"))
    answers = models.JSONField()
    finding = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("context assessment")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="context_assessment_number_once_per_project"
            ),
            models.CheckConstraint(
                condition=models.Q(taken_by=None, taken_at=None)
                | models.Q(taken_by__isnull=False, taken_at__isnull=False),
                name="context_assessment_taken_whole_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} U{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("context_assessment", str(self.pk), str(self), self.content_hash)
