from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "deid_portal.accounts"
    label = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from . import clients, events, signals  # noqa: F401  register a check, audit sentences and receivers
