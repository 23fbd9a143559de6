from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MaskingConfig(AppConfig):
    name = "deid_portal.masking"
    label = "masking"
    verbose_name = _("Live masking")
