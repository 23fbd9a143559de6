"""The two tables of the database in which keys lie apart from the portal's own; nothing else lies there."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Act(models.TextChoices):
    """What was done with a key that lies here."""

    KEPT = "kept", pgettext_lazy("key", "Taken into custody")
    OPENED = "opened", pgettext_lazy("key", "Opened")
    FORGOTTEN = "forgotten", pgettext_lazy("key", "Destroyed")


class KeptKey(models.Model):
    """The bytes of one key of the vault, wrapped by the portal's master key and sealed once more by the key of this store.

    ``id`` is that of the vault's own row, which says what the key is for. A key that is destroyed has no row here.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    sealed = models.BinaryField()
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("kept_at",)
        verbose_name = _("key in custody")

    def __str__(self) -> str:
        return str(self.pk)


class KeyAccess(models.Model):
    """One act on a key, written before its bytes are given out, so that who guards this store need not believe the portal's log."""

    at = models.DateTimeField(auto_now_add=True)
    act = models.CharField(max_length=9, choices=Act.choices)
    key = models.UUIDField()
    project = models.CharField(max_length=40)
    purpose = models.CharField(max_length=120)
    # The account for which it was done; empty where the portal did it by itself.
    person = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("access to a key")
        constraints = [models.CheckConstraint(condition=Q(act__in=Act.values), name="key_access_known")]

    def __str__(self) -> str:
        return f"{self.at} {self.act} {self.key}"
