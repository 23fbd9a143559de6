from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ObjectiveConfig(AppConfig):
    name = "projects.objective"
    label = "objective"
    verbose_name = _("Target")
