from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VerificationConfig(AppConfig):
    name = "projects.verification"
    label = "verification"
    verbose_name = _("Verification")
