"""Who is shown how much of a single value (T/ISC Annex B.3)."""

from __future__ import annotations

import hashlib
import json

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from approvals.governance.proven import proven
from projects.workflow.posts import Post
from techniques.core.kinds import Identifier

from .enums import PolicyStatus, Scene


@proven()
class MaskingPolicy(GovernedRecord):
    """One version of a policy: for each post and kind of identifier, how a value is shown.

    It is proposed by one person and put in force by another; what it says never changes. ``treatments`` is
    ``{post: {kind: treatment}}``; what is not in it is hidden whole.
    """

    name = models.SlugField(_("Name in the address"), max_length=40)
    number = models.PositiveIntegerField(_("Version"))
    title = models.CharField(_("Title"), max_length=80)
    scene = models.CharField(_("Scene"), max_length=20, choices=Scene.choices)
    treatments = models.JSONField(default=dict)
    content_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=PolicyStatus.choices, default=PolicyStatus.PROPOSED)
    reason = models.CharField(_("Reason"), max_length=500)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    decision_reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name", "-number")
        verbose_name = _("masking policy")
        constraints = [
            models.UniqueConstraint(fields=("name", "number"), name="masking_version_once"),
            models.UniqueConstraint(
                fields=("name",), condition=Q(status=PolicyStatus.IN_FORCE), name="masking_one_in_force"
            ),
            models.UniqueConstraint(
                fields=("name",), condition=Q(status=PolicyStatus.PROPOSED), name="masking_one_proposed"
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("made_by")), name="masking_second_person"
            ),
            models.CheckConstraint(
                condition=Q(status=PolicyStatus.PROPOSED, decided_by=None, decided_at=None)
                | (
                    ~Q(status=PolicyStatus.PROPOSED)
                    & Q(decided_by__isnull=False, decided_at__isnull=False)
                    & ~Q(decision_reason="")
                ),
                name="masking_decided_whole",
            ),
            models.CheckConstraint(condition=~Q(title="") & ~Q(reason=""), name="masking_has_reason"),
            models.CheckConstraint(condition=Q(status__in=PolicyStatus.values), name="masking_status_known"),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("masking_policy", str(self.pk), f"{self.name} {self.number}", self.content_hash)

    def hash_of_content(self) -> str:
        """SHA-256 of what the policy says."""
        text = json.dumps(
            [self.name, self.number, self.scene, self.treatments], sort_keys=True, ensure_ascii=False
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def treatments_for(self, post: str) -> dict[Identifier, str]:
        """How each kind is shown to somebody with ``post``; kinds that are missing are hidden."""
        return {Identifier(kind): key for kind, key in self.treatments.get(Post(post).value, {}).items()}


class MaskingUse(models.Model):
    """How often a person had values masked within an hour: counts, never a value."""

    policy = models.ForeignKey(MaskingPolicy, on_delete=models.PROTECT, related_name="uses")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    hour = models.DateTimeField()
    calls = models.PositiveBigIntegerField(default=0)
    values = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("use of a masking policy")
        constraints = [
            models.UniqueConstraint(fields=("policy", "user", "hour"), name="masking_use_once_an_hour")
        ]

    def __str__(self) -> str:
        return f"{self.policy_id} {self.hour:%Y-%m-%d %H}"
