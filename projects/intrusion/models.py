"""Intruder tests, and the claims of their testers as they were made and checked."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.countries import country_name
from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.core.models import Project
from projects.datasets.tables.names import titled
from projects.processing.models import Run

from .enums import Certainty, ClaimVerdict, Knowledge


@proven(project="project")
class IntruderTest(GovernedRecord):
    """One test of one run's result by people: what it covers, who tries, and with what. ``attempts`` are the persons whom the
    testers tried to recognise, said at the end; the claims stand in rows of their own."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="intruder_tests")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="intruder_tests")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    knowledge = models.CharField(_("Who the testers stand for"), max_length=10, choices=Knowledge.choices)
    scope = models.TextField(_("Scope"))
    testers = models.TextField(_("Testers"))
    auxiliary = models.TextField(_("Auxiliary data"))
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveIntegerField(_("Persons whom they tried to recognise"), null=True)
    conclusion = models.TextField(_("Conclusion"), blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("intruder test")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="intruder_test_number_once_per_project"
            ),
            models.UniqueConstraint(
                fields=("project",), condition=Q(closed_at=None), name="intruder_test_one_open"
            ),
            models.CheckConstraint(
                condition=~Q(scope="") & ~Q(testers="") & ~Q(auxiliary=""), name="intruder_test_says_what"
            ),
            models.CheckConstraint(
                condition=Q(knowledge__in=Knowledge.values), name="intruder_test_knowledge_known"
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None, closed_at=None, attempts=None, conclusion="")
                | (Q(closed_by__isnull=False, closed_at__isnull=False, attempts__gte=1) & ~Q(conclusion="")),
                name="intruder_test_closed_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} N{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("intruder_test", str(self.pk), str(self))


@proven(project="test__project", many=True)
class Invitation(GovernedRecord):
    """That an outside person, whose account is for this alone, tries to recognise somebody in the result of a test: until the end of the
    day ``until``, until the test is concluded, or until it is withdrawn. It stays as it was made; ``views`` and ``fetches`` count on.
    """

    test = models.ForeignKey(IntruderTest, on_delete=models.PROTECT, related_name="invitations")
    tester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("Invited tester"),
    )
    # ISO 3166-1; None: not stated, as in every invitation from before it was asked for.
    country = models.CharField(_("Country or region of the tester"), max_length=2, null=True, blank=True)
    task = models.TextField(_("What they are to try"))
    until = models.DateField(_("Until"))
    gets_file = models.BooleanField(_("They may fetch the file of the result"), default=False)
    shows_verdicts = models.BooleanField(_("They are told which of their claims are right"), default=False)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(auto_now_add=True)
    views = models.PositiveIntegerField(default=0)
    fetches = models.PositiveIntegerField(default=0)
    looked_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(_("Reason"), max_length=500, blank=True)

    class Meta:
        ordering = ("-invited_at", "pk")
        verbose_name = _("invitation to an intruder test")
        indexes = [models.Index(fields=("tester", "-invited_at"), name="invitation_of_tester")]
        constraints = [
            models.UniqueConstraint(
                fields=("test", "tester"), condition=Q(ended_at=None), name="invitation_once_per_tester"
            ),
            models.CheckConstraint(condition=~Q(task=""), name="invitation_says_what"),
            models.CheckConstraint(condition=~Q(invited_by=F("tester")), name="invitation_by_another"),
            models.CheckConstraint(
                condition=Q(ended_by=None, ended_at=None, end_reason="")
                | (Q(ended_by__isnull=False, ended_at__isnull=False) & ~Q(end_reason="")),
                name="invitation_ended_whole_or_not",
            ),
            models.CheckConstraint(
                condition=Q(looked_at=None, views=0, fetches=0)
                | (Q(looked_at__isnull=False) & (Q(views__gte=1) | Q(fetches__gte=1))),
                name="invitation_looked_at_when_looked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.test} · {self.tester}"

    @property
    def subject(self) -> Subject:
        return Subject("intruder_invitation", str(self.pk), str(self.test))

    @property
    def project_id(self) -> Any:
        return self.test.project_id

    @property
    def place(self) -> str:
        """The country or region in the reader's language; empty where none is stated."""
        return country_name(self.country)

    @property
    def is_in_force(self) -> bool:
        """By what it says itself and by its test; whether the project goes on is another question."""
        return self.ended_at is None and self.test.closed_at is None and self.until >= localdate()


@proven(project="test__project", many=True)
class IntruderClaim(GovernedRecord):
    """That a record of the result, of its table where it has several, is of a certain person. Who that is stands in no row: ``reference`` says where the testers'
    sealed word about it lies. Who has the source checks it, and is not who recorded it.

    A claim that an outsider made by an ``invitation`` says how they came to it and how sure they are; others say neither."""

    test = models.ForeignKey(IntruderTest, on_delete=models.PROTECT, related_name="claims")
    number = models.PositiveIntegerField(pgettext_lazy("serial", "Number"))
    of_table = models.CharField(_("Table"), max_length=200, blank=True)
    record = models.PositiveIntegerField(_("Record of the result"))
    reference = models.CharField(_("Where it says who that is"), max_length=100)
    invitation = models.ForeignKey(Invitation, on_delete=models.PROTECT, related_name="claims", null=True)
    grounds = models.TextField(_("How you came to it"), blank=True)
    certainty = models.CharField(_("How sure you are"), max_length=10, choices=Certainty.choices, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(max_length=10, choices=ClaimVerdict.choices, default=ClaimVerdict.WAITING)
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    checked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        verbose_name = _("claim of an intruder test")
        constraints = [
            models.UniqueConstraint(fields=("test", "number"), name="intruder_claim_number_once_per_test"),
            models.UniqueConstraint(
                fields=("test", "of_table", "record"),
                condition=Q(invitation=None),
                name="intruder_claim_once_per_record",
            ),
            # What another tester claims is not told, so nobody is refused for it.
            models.UniqueConstraint(
                fields=("invitation", "of_table", "record"), name="intruder_claim_once_per_invited"
            ),
            models.CheckConstraint(
                condition=Q(invitation=None, grounds="", certainty="")
                | (Q(invitation__isnull=False, certainty__in=Certainty.values) & ~Q(grounds="")),
                name="intruder_claim_of_invited_whole",
            ),
            models.CheckConstraint(
                condition=~Q(reference="") & Q(record__gte=1), name="intruder_claim_says_what"
            ),
            models.CheckConstraint(
                condition=Q(checked_by=None) | ~Q(checked_by=F("made_by")),
                name="intruder_claim_second_person",
            ),
            models.CheckConstraint(
                condition=Q(verdict=ClaimVerdict.WAITING, checked_by=None, checked_at=None)
                | Q(
                    verdict__in=(ClaimVerdict.RIGHT, ClaimVerdict.WRONG),
                    checked_by__isnull=False,
                    checked_at__isnull=False,
                ),
                name="intruder_claim_checked_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.test} · {self.number}"

    @property
    def place(self) -> str:
        """The record, with the name of its table where there are several."""
        return titled(self.of_table, str(self.record))
