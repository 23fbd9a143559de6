from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LessonsConfig(AppConfig):
    name = "projects.lessons"
    label = "lessons"
    verbose_name = _("Lessons")
