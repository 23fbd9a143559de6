"""The form of a look back, and the year of the trends."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.models import Project

from .models import TEXTS, Lesson
from .rules import owners_of

LONG = 2000
LABELS = {name: Lesson._meta.get_field(name).verbose_name for name in TEXTS}  # type: ignore[union-attr]
HINTS = {
    "risk": _(
        "What was measured, against the targets and against what was expected; since the release, too."
    ),
    "usefulness": _("Whether the recipients could do with it what they needed it for."),
    "efficiency": _("Time, people and machines; what was done more than once, and where it waited."),
    "to_change": _("In rules, templates, recipes or the way of working, and by when."),
}


class LessonForm(KeptForm):
    """One look back at ``project``."""

    draft_name = "lessons.lesson"

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in TEXTS:
            self.fields[name] = forms.CharField(
                label=LABELS[name],
                help_text=HINTS.get(name, ""),
                max_length=LONG,
                widget=forms.Textarea(attrs={"rows": 3}),
            )
        self.people = {str(one.pk): one for one in owners_of(project)}
        self.fields["owner"] = forms.ChoiceField(
            label=_("Who changes it"),
            choices=[("", "–"), *((key, str(one)) for key, one in self.people.items())],
        )

    def clean_owner(self) -> Any:
        return self.people[self.cleaned_data["owner"]]
