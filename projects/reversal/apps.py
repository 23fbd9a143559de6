from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReversalConfig(AppConfig):
    name = "projects.reversal"
    label = "reversal"
    verbose_name = _("Reversal")
