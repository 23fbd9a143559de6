from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from approvals.triggers import ensure


def _ensure(using: str, **kwargs: Any) -> None:
    from .duties import TRIGGERS

    ensure(*TRIGGERS, using=using)


class CoreConfig(AppConfig):
    name = "projects.core"
    label = "core"
    verbose_name = _("Projects")

    def ready(self) -> None:
        from . import events, providers  # noqa: F401  register audit sentences and evidence

        # What each package puts on a person's home page.
        autodiscover_modules("home")
        post_migrate.connect(_ensure, sender=self, dispatch_uid="duty-triggers")
