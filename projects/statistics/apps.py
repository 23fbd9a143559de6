from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StatisticsConfig(AppConfig):
    name = "projects.statistics"
    label = "statistics"
    verbose_name = _("Tables of statistics")
