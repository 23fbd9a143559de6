from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from approvals.governance.triggers import ensure, lift


def _ensure(using: str, **kwargs: Any) -> None:
    from .separation_of_duties import TRIGGERS

    ensure(*TRIGGERS, using=using)


def _lift(using: str, plan: Any = None, **kwargs: Any) -> None:
    from .separation_of_duties import TRIGGERS

    if plan:
        lift(*TRIGGERS, using=using)


class CoreConfig(AppConfig):
    name = "projects.core"
    label = "core"
    verbose_name = _("Projects")

    def ready(self) -> None:
        from . import events, providers  # noqa: F401  register audit sentences and evidence

        # What each package puts on a person's home page.
        autodiscover_modules("home")
        # These speak of several tables, so that none of those could be rebuilt under them.
        pre_migrate.connect(_lift, sender=self, dispatch_uid="duty-triggers-lifted")
        post_migrate.connect(_ensure, sender=self, dispatch_uid="duty-triggers")
