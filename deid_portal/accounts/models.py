"""People who sign in."""

from __future__ import annotations

import uuid
from base64 import b64decode, b64encode
from binascii import Error as NotBase64

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.vault.keys import key_unwrap, key_wrap
from projects.workflow.posts import Post

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
        _("Access until"), null=True, blank=True, help_text=_("Required for external assessors.")
    )
    language = models.CharField(max_length=10, default="zh-hans")
    must_change_password = models.BooleanField(default=False)
    # Accounts of one natural person share this: the account that stands for them, which has itself here.
    person = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="accounts_of_person", null=True, blank=True
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=~Q(post="assessor") | Q(access_until__isnull=False),
                name="assessor_has_an_end_date",
                violation_error_message=_("An external assessor needs an end date."),
            )
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

    @property
    def access_ended(self) -> bool:
        """The last day of access is over: this account neither signs in nor uses its tokens."""
        return self.access_until is not None and self.access_until < timezone.localdate()

    @property
    def reads_all_projects(self) -> bool:
        """Auditors, and assessors until their time is over."""
        if self.post == Post.ASSESSOR:
            return self.access_until is not None and self.access_until >= timezone.localdate()
        return self.post == Post.AUDITOR


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
