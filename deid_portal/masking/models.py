"""Who is shown how much of a single value (T/ISC Annex B.3)."""

from __future__ import annotations

import hashlib
import json

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.proven import proven
from deid_portal.organisation.proposals.models import Proposal, two_persons
from projects.workflow.posts import Post
from techniques.core.kinds import Identifier

from .enums import Scene


@proven()
class MaskingPolicy(Proposal):
    """One version of a policy: for each post and kind of identifier, how a value is shown.

    ``treatments`` is ``{post: {kind: treatment}}``; what is not in it is hidden whole.
    """

    name = models.SlugField(_("Name in the address"), max_length=40)
    title = models.CharField(_("Title"), max_length=80)
    scene = models.CharField(_("Scene"), max_length=20, choices=Scene.choices)
    treatments = models.JSONField(default=dict)

    class Meta:
        ordering = ("name", "-number")
        verbose_name = _("masking policy")
        constraints = [
            *two_persons("masking", "name"),
            models.CheckConstraint(condition=~Q(title="") & ~Q(reason=""), name="masking_has_reason"),
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
