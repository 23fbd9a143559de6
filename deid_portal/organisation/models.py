"""What the organisation has decided for all projects, versioned: its metadata table (GB/T 37964 5.3.2), its policy about
cryptography (A.2.1), its coefficients of the surroundings (T/ISC 0078 C.5), its secret rules for tables of statistics (10.5)."""

from __future__ import annotations

import base64
import hashlib
import json
from fractions import Fraction

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.documents.letterhead import Logo, Mark
from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel, GovernedRecord
from approvals.governance.proven import proven
from projects.core.numbers import count, number
from projects.identification.enums import ColumnRole
from projects.objective.surroundings.coefficients import Coefficients
from projects.workflow import Stage
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError
from techniques.disclosure_risk.scales.degree import (
    ENVIRONMENT_COEFFICIENTS,
    HIGH_BOUNDS,
    LOW_BOUNDS,
    SCENARIO_BOUNDS,
    Capability,
    Scenario,
)
from techniques.identification.metadata.forms import LONGEST, value_form_check

from .parties.executing.models import ExecutingParty as ExecutingParty
from .parties.models import Party as Party
from .parties.models import PartyAgreement as PartyAgreement
from .policies.models import Policy as Policy
from .policies.models import PolicyAcknowledgement as PolicyAcknowledgement
from .policies.models import PolicyReview as PolicyReview
from .policies.models import PolicyVersion as PolicyVersion
from .proposals.models import Proposal, two_persons
from .talks.models import FollowUp as FollowUp
from .talks.models import Talk as Talk
from .talks.models import TalkCorrection as TalkCorrection
from .talks.models import TalkParticipant as TalkParticipant
from .talks.models import TalkProject as TalkProject
from .team.models import TeamSeat as TeamSeat

SIGNERS_BOUNDS = (1, 5)
"""How few and how many people may have to sign one result."""


class MetadataVersion(GovernedModel):
    """One version of the table: made by whom, when, why, and the hash of all its rows."""

    number = models.PositiveIntegerField(_("Version"), primary_key=True)
    reason = models.TextField(_("Reason"))
    entry_count = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("version of the metadata table")
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="metadata_version_has_reason")]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("metadata_table", str(self.number), str(self.number), self.content_hash)


def value_form_validate(expression: str) -> None:
    """Raises ``ValidationError`` for a form of values that cannot be read or says nothing."""
    try:
        value_form_check(expression)
    except EngineError as error:
        raise ValidationError(gettext(error.message) % error.params) from None


class MetadataEntry(GovernedRecord):
    """One identifier: its five fields, and the role that a match suggests.

    A row holds from version ``since`` up to, not including, ``until``; a change ends it and adds another,
    so that the table of every past version can still be read.
    """

    kind = models.SlugField(_("Kind"), max_length=40)
    position = models.PositiveIntegerField()
    name = models.CharField(_("Identifier name"), max_length=80)
    meaning = models.CharField(_("Meaning"), max_length=300)
    format = models.CharField(_("Format"), max_length=300)
    data_types = models.JSONField(_("Common data types"), default=list, blank=True)
    field_names = models.JSONField(_("Common field names"), default=list)
    value_form = models.CharField(
        _("Form of the values"), max_length=LONGEST, blank=True, default="", validators=[value_form_validate]
    )
    role = models.CharField(_("Suggested role"), max_length=10, choices=ColumnRole.choices)
    since = models.ForeignKey(MetadataVersion, on_delete=models.PROTECT, related_name="added")
    until = models.ForeignKey(MetadataVersion, on_delete=models.PROTECT, related_name="ended", null=True)

    class Meta:
        ordering = ("position", "kind")
        verbose_name = _("metadata entry")
        constraints = [
            models.UniqueConstraint(
                fields=("kind",), condition=Q(until=None), name="metadata_one_entry_per_kind"
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(meaning="") & ~Q(format=""), name="metadata_entry_whole"
            ),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("since")), name="metadata_entry_ends_after_start"
            ),
            models.CheckConstraint(condition=Q(role__in=ColumnRole.values), name="metadata_entry_role_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if not self.field_names:
            raise ValidationError({"field_names": _("At least one field name is needed for a match.")})

    @property
    def content(self) -> dict[str, object]:
        """What makes two entries the same: everything but place and version."""
        return {
            "kind": self.kind,
            "name": self.name,
            "meaning": self.meaning,
            "format": self.format,
            "data_types": list(self.data_types),
            "field_names": list(self.field_names),
            "role": str(self.role),
            # Versions from before there were rules on values keep their hash.
            **({"value_form": self.value_form} if self.value_form else {}),
        }


@proven()
class CryptographyPolicy(GovernedModel):
    """One version of what cryptography recipes may use (GB/T 37964 A.2.1); the newest holds."""

    number = models.PositiveIntegerField(_("Version"), primary_key=True)
    national_only = models.BooleanField(_("National commercial cryptography only (SM3, SM4)"))
    reason = models.CharField(_("Reason"), max_length=500)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("policy about cryptography")
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="cryptography_policy_has_reason")]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("cryptography_policy", str(self.number), str(self.number))


class LetterheadVersion(GovernedModel):
    """One version of the name, logo and mark that documents bear; the newest holds. ``logo`` was cleaned before it was kept."""

    number = models.PositiveIntegerField(_("Version"), primary_key=True)
    name = models.CharField(_("Name of the organisation"), max_length=60)
    name_en = models.CharField(_("Name in English"), max_length=100, blank=True)
    mark = models.CharField(_("Confidentiality marking"), max_length=10, choices=Mark.choices, blank=True)
    logo = models.BinaryField(_("Logo"), blank=True)
    logo_type = models.CharField(max_length=20, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("letterhead")
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="letterhead_has_name")]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("letterhead", str(self.number), str(self.number))

    @property
    def picture(self) -> Logo | None:
        return Logo(bytes(self.logo), self.logo_type) if self.logo else None

    @property
    def picture_url(self) -> str:
        """The logo for a page, which shows it as a picture, where nothing in it runs."""
        return f"data:{self.logo_type};base64,{base64.b64encode(self.logo).decode()}" if self.logo else ""


def _hundredths(bounds: tuple[Fraction, Fraction]) -> tuple[int, int]:
    return int(bounds[0] * 100), int(bounds[1] * 100)


@proven()
class EnvironmentCoefficients(Proposal):
    """One version of the coefficients that low and high capability have, in hundredths; that of medium capability is 1. A scenario has
    the K that medium safeguards need; its coefficient is 1/K."""

    low = models.PositiveSmallIntegerField(_("Coefficient of low capability"))
    high = models.PositiveSmallIntegerField(_("Coefficient of high capability"))
    internal = models.PositiveSmallIntegerField(default=3)
    external = models.PositiveSmallIntegerField(default=5)
    public = models.PositiveSmallIntegerField(default=20)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("coefficients of the surroundings")
        constraints = [
            *two_persons("coefficients"),
            models.CheckConstraint(condition=~Q(reason=""), name="coefficients_have_reason"),
            models.CheckConstraint(
                condition=Q(low__range=_hundredths(LOW_BOUNDS), high__range=_hundredths(HIGH_BOUNDS)),
                name="coefficients_within_bounds",
            ),
            models.CheckConstraint(
                condition=Q(
                    internal__gte=SCENARIO_BOUNDS[0],
                    external__gte=F("internal"),
                    public__gte=F("external"),
                    public__lte=SCENARIO_BOUNDS[1],
                ),
                name="coefficients_of_scenarios_in_order",
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("coefficients", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        said = [self.number, self.low, self.high]
        # Versions of before had the standard's scenarios, and their hashes stay.
        own = any(map(self.coefficients.is_own, Scenario))
        text = json.dumps([*said, self.internal, self.external, self.public] if own else said)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def coefficients(self) -> Coefficients:
        own = {Capability.LOW: Fraction(self.low, 100), Capability.HIGH: Fraction(self.high, 100)}
        scenarios = {scenario: Fraction(1, getattr(self, scenario.value)) for scenario in Scenario}
        return Coefficients(self.number, {**ENVIRONMENT_COEFFICIENTS, **own}, scenarios)

    @property
    def values(self) -> str:
        """Those of low, medium and high capability, and K of each scenario."""
        grades = " · ".join(number(float(self.coefficients.of[grade])) for grade in Capability)
        return f"{grades} | " + " · ".join(count(getattr(self, scenario.value)) for scenario in Scenario)


@proven()
class GradingPolicy(Proposal):
    """One version of what each grade of data asks for (GB/T 37964 5.2.2 b): by which ways it may be shared, the smallest k,
    whether an impact assessment comes first, and how many sign. ``rules`` is {grade: {"sharing": […], "minimum_k": n, "impact":
    bool, "signers": n}}, the last in versions since it is asked; core data have no rule, because they never leave."""

    rules = models.JSONField()

    class Meta:
        ordering = ("-number",)
        verbose_name = _("grading of data")
        constraints = [
            *two_persons("grading"),
            models.CheckConstraint(condition=~Q(reason=""), name="grading_has_reason"),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("grading", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([self.number, self.rules])


@proven()
class RetentionTerms(Proposal):
    """One version of how long data are kept after their project has ended: ``days`` is {kind: days, or null for no term}. Nothing is
    destroyed by itself when a term is over; the planning manager is then asked to propose it."""

    days = models.JSONField()

    class Meta:
        ordering = ("-number",)
        verbose_name = _("terms of retention")
        constraints = [
            *two_persons("retention"),
            models.CheckConstraint(condition=~Q(reason=""), name="retention_has_reason"),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("retention", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([self.number, self.days])


@proven()
class SignerQuorum(Proposal):
    """One version of how many members of senior management sign a result, by how it is shared (GB/T 37964 5.5.4)."""

    public = models.PositiveSmallIntegerField(_("Completely public sharing"))
    controlled = models.PositiveSmallIntegerField(_("Controlled public sharing"))
    enclave = models.PositiveSmallIntegerField(_("Enclave sharing"))

    class Meta:
        ordering = ("-number",)
        verbose_name = _("number of signatures")
        constraints = [
            *two_persons("signers"),
            models.CheckConstraint(condition=~Q(reason=""), name="signers_have_reason"),
            models.CheckConstraint(
                condition=Q(
                    public__range=SIGNERS_BOUNDS,
                    controlled__range=SIGNERS_BOUNDS,
                    enclave__range=SIGNERS_BOUNDS,
                ),
                name="signers_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("signers", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([self.number, self.public, self.controlled, self.enclave])


@proven()
class ReviewChecklist(Proposal):
    """One version of what a supervisor answers, item by item, where ``stage`` is reviewed (T/ISC 0078 12.2 b). ``items`` is a list of
    {"zh", "en", "clause", "obligatory"} in order; an empty one switches the checklist of the stage off."""

    stage = models.CharField(_("Stage"), max_length=30, choices=Stage.choices)
    items = models.JSONField()

    class Meta:
        ordering = ("stage", "-number")
        verbose_name = _("review checklist")
        constraints = [
            *two_persons("checklist", "stage"),
            models.CheckConstraint(condition=~Q(reason=""), name="checklist_has_reason"),
            models.CheckConstraint(condition=Q(stage__in=Stage.values), name="checklist_stage_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_stage_display()} · {self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("checklist", str(self.pk), f"{self.stage} {self.number}", self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([str(self.stage), self.number, self.items])

    @property
    def values(self) -> str:
        """How many items it has."""
        return count(len(self.items))


@proven()
class AgreementClauses(Proposal):
    """One version of the organisation's own clauses in data use agreements. ``clauses`` is a list of {"matter_zh", "matter_en",
    "zh", "en"} in order; an empty one: there are none."""

    clauses = models.JSONField()

    class Meta:
        ordering = ("-number",)
        verbose_name = _("clauses of the agreement")
        constraints = [
            *two_persons("clauses"),
            models.CheckConstraint(condition=~Q(reason=""), name="clauses_have_reason"),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def subject(self) -> Subject:
        return Subject("agreement_clauses", str(self.pk), str(self.number), self.content_hash)

    def hash_of_content(self) -> str:
        return canonical_hash([self.number, self.clauses])

    @property
    def values(self) -> str:
        """How many clauses it has."""
        return count(len(self.clauses))


@proven()
class TableRules(Proposal):
    """One version of a named set of rules for tables of statistics: for those that count persons, or those that add up amounts.

    What it says is a secret: ``sealed`` is encrypted under the master key, and the content's hash is one of what is sealed, since
    few numbers would be guessed from a hash of their own.
    """

    name = models.CharField(_("Set"), max_length=60)
    counts = models.BooleanField(_("For counts of persons"))
    sealed = models.TextField()

    class Meta:
        ordering = ("name", "-number")
        verbose_name = _("rules for tables of statistics")
        constraints = [
            *two_persons("table_rules", "name"),
            models.CheckConstraint(condition=~Q(reason=""), name="table_rules_have_reason"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(sealed=""), name="table_rules_whole"),
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("table_rules", str(self.pk), str(self), self.content_hash)

    def hash_of_content(self) -> str:
        text = json.dumps([self.name, self.number, self.counts, self.sealed])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def context(self) -> str:
        """What the sealed rules are bound to."""
        return f"table rules:{self.pk}:{self.name}"
