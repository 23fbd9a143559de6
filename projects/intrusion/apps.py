from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntrusionConfig(AppConfig):
    name = "projects.intrusion"
    label = "intrusion"
    verbose_name = _("Intruder tests")
