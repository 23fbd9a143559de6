from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


def _take_over(using: str, **kwargs: Any) -> None:
    """After a migration, and after the log was taken in: an older portal's people keep the posts that they held."""
    from .appointments.taking_over import posts_take_over_if_proved

    if using == DEFAULT_DB_ALIAS:
        posts_take_over_if_proved()


class AccountsConfig(AppConfig):
    name = "deid_portal.accounts"
    label = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from . import clients, events, signals  # noqa: F401  register a check, audit sentences and receivers
        from .appointments import events as _events  # noqa: F401
        from .appointments import home, triggers  # noqa: F401
        from .deputies import events as _deputies  # noqa: F401
        from .deputies import home as _deputies_home  # noqa: F401
        from .deputies import triggers as _deputies_triggers  # noqa: F401
        from .intake import events as _intake  # noqa: F401
        from .leaving import events as _leaving  # noqa: F401
        from .oidc import provider  # noqa: F401  registers a check

        post_migrate.connect(_take_over, sender=self, dispatch_uid="appointments-taken-over")
