"""People who sign in."""

from __future__ import annotations

import uuid
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from datetime import date, timedelta

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.objective.enums import Classification
from projects.vault.keys import key_unwrap, key_wrap
from projects.workflow.posts import AppointedPost, Post, Tenure

from .appointments.enums import WITH_ACCOUNT, AppointmentStatus, Basis
from .appointments.tenure import posts_in_force, tenure_of
from .deputies.enums import DEPUTISED, DeputationStatus, DeputyTenure
from .events import Lost


@proven(
    person="pk",
    without=("last_login", "first_name", "last_name", "language"),
)
class User(AbstractUser):
    """A person. ``post`` is fixed across projects; what they do in a project is their membership's role."""

    full_name = models.CharField(_("Name"), max_length=80)
    department = models.CharField(_("Department or organisation"), max_length=120, blank=True)
    post = models.CharField(_("Post"), max_length=20, choices=Post.choices, default=Post.STAFF)
    access_until = models.DateField(
        _("Access until"),
        null=True,
        blank=True,
        help_text=_("Required for external assessors and invited testers."),
    )
    language = models.CharField(max_length=10, default="zh-hans")
    must_change_password = models.BooleanField(default=False)
    # Accounts of one natural person share this: the account that stands for them, which has itself here.
    person = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="accounts_of_person", null=True, blank=True
    )
    # The account from the command line to which the one who made this account goes back, through however many hands;
    # nobody where this one itself came from there.
    origin = models.ForeignKey("self", on_delete=models.PROTECT, related_name="+", null=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=~Q(post="assessor") | Q(access_until__isnull=False),
                name="assessor_has_an_end_date",
                violation_error_message=_("An external assessor needs an end date."),
            ),
            models.CheckConstraint(
                condition=~Q(post="tester") | Q(access_until__isnull=False),
                name="tester_has_an_end_date",
                violation_error_message=_("An invited tester needs an end date."),
            ),
        ]

    def __str__(self) -> str:
        return self.full_name or self.username

    def check_password(self, raw_password: str | None) -> bool:
        """As Django's, but nothing is written: a hash is made anew by the sign-in, on the record."""
        return check_password(raw_password, self.password)

    def get_full_name(self) -> str:
        return str(self)

    def is_same_person(self, other: User) -> bool:
        """Whether both accounts are known to be one natural person's; an account is its own."""
        return self.pk == other.pk or (self.person_id is not None and self.person_id == other.person_id)

    def has_origin_of(self, other: User) -> bool:
        """Whether both accounts go back to one: whoever makes an account knows its first password, and could act through it."""
        first, second = (one.origin or one for one in (self, other))
        return first.is_same_person(second)

    @property
    def access_ended(self) -> bool:
        """The last day of access is over: this account neither signs in nor uses its tokens."""
        return self.access_until is not None and self.access_until < timezone.localdate()

    def holds(self, post: AppointedPost) -> bool:
        """Whether a confirmed appointment to ``post`` is in force today."""
        read: str | None = self.__dict__.get("posts_read")
        return post.value in (posts_in_force(self.pk) if read is None else read.split(","))

    def tenure(self, post: AppointedPost) -> Tenure:
        """How the account stands to ``post`` today, by its appointments."""
        return tenure_of([one for one in self.appointments.all() if one.post == post])

    @property
    def reads_all_projects(self) -> bool:
        """Auditors, while they are appointed."""
        return self.post == Post.AUDITOR and self.holds(AppointedPost.AUDITOR)

    @property
    def assesses(self) -> bool:
        """External assessors until their time is over, while they are appointed; they see what they have an order to assess."""
        lasts = self.access_until is not None and self.access_until >= timezone.localdate()
        return self.post == Post.ASSESSOR and lasts and self.holds(AppointedPost.ASSESSOR)


@proven(person="user", without=("last_used_on",))
class ApiToken(models.Model):
    """A key for programs. Only its SHA-256 is kept; the key itself is shown once, when it is made."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("What it is for"), max_length=60)
    key_hash = models.CharField(max_length=64, unique=True)
    beginning = models.CharField(max_length=12)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(_("Valid until"))
    last_used_on = models.DateField(null=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("API token")

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"

    @property
    def expired(self) -> bool:
        return self.expires_at <= timezone.now()


@proven(person="account")
class Recovery(GovernedRecord):
    """What one administrator asked for somebody who lost a part of their sign-in, and what another decided."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recoveries")
    lost = models.CharField(max_length=12, choices=Lost.choices)
    reason = models.CharField(_("Reason"), max_length=500)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    # Nobody where the person's own second step stands for them.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    carried_out = models.BooleanField(default=False)

    class Meta:
        ordering = ("-asked_at",)
        verbose_name = _("recovery of a sign-in")
        constraints = [
            models.UniqueConstraint(
                fields=("account", "lost"), condition=Q(decided_at=None), name="recovery_one_waits"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="recovery_has_reason"),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("asked_by")) | Q(carried_out=False),
                name="recovery_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_lost_display()}"


@proven(person="account")
class Appointment(GovernedRecord):
    """That somebody holds a post from one day to another: given by one administrator, confirmed by a second.

    What it says never changes: another post, or other days, are another appointment. It ends before its day with a reason.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="appointments"
    )
    post = models.CharField(_("Post"), max_length=14, choices=AppointedPost.choices)
    starts_on = models.DateField(pgettext_lazy("a date", "From"))
    ends_on = models.DateField(_("Until and including"), null=True, blank=True)
    reason = models.CharField(_("Reason"), max_length=500)
    basis = models.CharField(max_length=12, choices=Basis.choices, default=Basis.GIVEN)
    # Nobody where the portal was set up from the command line, or where the post is older than appointments.
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    given_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(
        max_length=12, choices=AppointmentStatus.choices, default=AppointmentStatus.WAITS
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-given_at",)
        verbose_name = _("appointment")
        indexes = [
            models.Index(fields=("account", "post", "status"), name="appointment_of_account"),
            models.Index(fields=("status", "-given_at"), name="appointment_by_status"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=("account", "post"), condition=Q(status="waits"), name="appointment_one_waits"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="appointment_has_reason"),
            models.CheckConstraint(
                condition=Q(post__in=AppointedPost.values)
                & Q(status__in=AppointmentStatus.values)
                & Q(basis__in=Basis.values),
                name="appointment_words_known",
            ),
            models.CheckConstraint(
                condition=Q(ends_on=None) | Q(ends_on__gte=F("starts_on")),
                name="appointment_ends_after_start",
            ),
            models.CheckConstraint(
                condition=Q(status="waits", decided_at=None, decided_by=None)
                | (~Q(status="waits") & Q(decided_at__isnull=False)),
                name="appointment_decided_whole",
            ),
            # Two people wherever it was given on a page; the command line of the machine is nobody's account.
            models.CheckConstraint(
                condition=~Q(basis="given")
                | (
                    Q(given_by__isnull=False)
                    & (
                        ~Q(status__in=("confirmed", "ended"))
                        | (Q(decided_by__isnull=False) & ~Q(decided_by=F("given_by")))
                    )
                ),
                name="appointment_by_two",
            ),
            models.CheckConstraint(
                condition=(Q(status="ended", ended_at__isnull=False) & ~Q(end_reason=""))
                | (~Q(status="ended") & Q(ended_at=None, ended_by=None, end_reason="")),
                name="appointment_ended_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} · {self.get_post_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("appointment", str(self.pk), str(self.account))

    @property
    def why(self) -> str:
        """The reason that was given, in words."""
        return gettext("Together with the account") if self.reason == WITH_ACCOUNT else self.reason

    @property
    def tenure(self) -> Tenure:
        """How it stands today by itself."""
        return tenure_of([self])


@proven(person="deputy")
class Deputation(GovernedRecord):
    """That somebody acts on behalf of a holder of a post from one day to another: named by the holder or an administrator,
    confirmed by another person.

    What it says never changes; it ends with its last day, or before that with a reason. The days are kept as the moments at which
    they begin and end here, which a database compares with its own clock.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="deputations"
    )
    post = models.CharField(_("Post"), max_length=14, choices=AppointedPost.choices)
    deputy = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="deputations_as"
    )
    begins_at = models.DateTimeField(pgettext_lazy("a date", "From"))
    over_at = models.DateTimeField()
    reason = models.CharField(_("Reason"), max_length=500)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=12, choices=DeputationStatus.choices, default=DeputationStatus.WAITS)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-given_at",)
        verbose_name = _("deputation")
        indexes = [
            models.Index(fields=("account", "post", "status"), name="deputation_of_account"),
            models.Index(fields=("deputy", "status"), name="deputation_of_deputy"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="deputation_has_reason"),
            models.CheckConstraint(
                condition=Q(post__in=DEPUTISED) & Q(status__in=DeputationStatus.values),
                name="deputation_words_known",
            ),
            models.CheckConstraint(
                condition=Q(over_at__gt=F("begins_at")), name="deputation_ends_after_start"
            ),
            models.CheckConstraint(condition=~Q(deputy=F("account")), name="deputation_of_another"),
            models.CheckConstraint(
                condition=Q(status="waits", decided_at=None, decided_by=None)
                | (~Q(status="waits") & Q(decided_at__isnull=False, decided_by__isnull=False)),
                name="deputation_decided_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=("confirmed", "ended"))
                | (~Q(decided_by=F("given_by")) & ~Q(decided_by=F("account")) & ~Q(decided_by=F("deputy"))),
                name="deputation_by_two",
            ),
            models.CheckConstraint(
                condition=(
                    Q(status="ended", ended_at__isnull=False, ended_by__isnull=False) & ~Q(end_reason="")
                )
                | (~Q(status="ended") & Q(ended_at=None, ended_by=None, end_reason="")),
                name="deputation_ended_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} · {self.get_post_display()}"

    @property
    def subject(self) -> Subject:
        return Subject("deputation", str(self.pk), str(self.account))

    @property
    def starts_on(self) -> date:
        return timezone.localdate(self.begins_at)

    @property
    def ends_on(self) -> date:
        """The last day."""
        return timezone.localdate(self.over_at - timedelta(microseconds=1))

    @property
    def tenure(self) -> DeputyTenure:
        """How it stands now."""
        if self.status != DeputationStatus.CONFIRMED:
            return DeputyTenure(self.status)
        now = timezone.now()
        if now >= self.over_at:
            return DeputyTenure.OVER
        return DeputyTenure.IN_FORCE if self.begins_at <= now else DeputyTenure.TO_COME


class Leaving(GovernedRecord):
    """That somebody has left the organisation, and what they had in hand that day."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="leaving")
    reason = models.CharField(_("Reason"), max_length=500)
    agreed = models.CharField(_("Agreed about confidentiality"), max_length=1000)
    # The highest grade of the data that they worked on; empty where none was graded.
    level = models.CharField(
        _("Grade of the data"), max_length=10, choices=Classification.choices, blank=True
    )
    # [{"project": number, "role": code}]
    hand_over = models.JSONField(default=list)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("leaving")
        constraints = [
            models.CheckConstraint(condition=~Q(reason="") & ~Q(agreed=""), name="leaving_says_why"),
            models.CheckConstraint(condition=~Q(account=F("recorded_by")), name="leaving_by_another"),
        ]

    def __str__(self) -> str:
        return str(self.account)


class SecondStep(TOTPDevice):  # type: ignore[misc]
    """A device for time-based codes whose ``key`` is the secret encrypted under the master key, in base 64.

    Who reads the database alone, or a copy of it, makes no codes. A key that is moved to another account opens
    nothing there.
    """

    class Meta:
        proxy = True

    @staticmethod
    def sealed(secret: bytes, user_id: int) -> str:
        """``secret`` (at most 31 bytes) as ``key`` keeps it."""
        return b64encode(key_wrap(secret, _second_step_of(user_id))).decode()

    @property
    def bin_key(self) -> bytes:
        """The secret; EngineError ``vault.unwrap`` where the master key is another one or the row was altered."""
        try:
            wrapped = b64decode(self.key, validate=True)
        except NotBase64:
            wrapped = b""
        return key_unwrap(wrapped, _second_step_of(self.user_id))


def _second_step_of(user_id: int) -> str:
    return f"second step of account {user_id}"
