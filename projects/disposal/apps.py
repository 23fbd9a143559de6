from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DisposalConfig(AppConfig):
    name = "projects.disposal"
    label = "disposal"
    verbose_name = _("Disposal of data")
