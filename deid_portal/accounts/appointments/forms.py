"""Forms about appointments: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.workflow.posts import OPEN_TO, AppointedPost, Post

from ..models import User
from .enums import AppointmentStatus


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class AppointmentForm(forms.Form):
    """A post for an account, from one day to another."""

    post = forms.ChoiceField(label=_("Post"))
    starts_on = forms.DateField(label=pgettext_lazy("a date", "From"), widget=_day())
    ends_on = forms.DateField(
        label=_("Until and including"),
        required=False,
        help_text=_("Leave empty if it runs until someone ends it."),
        widget=_day(),
    )
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=500)

    def __init__(self, *args: Any, account: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["post"]
        field.choices = [(post.value, post.label) for post in OPEN_TO[Post(account.post)]]
        self.fields["starts_on"].initial = timezone.localdate

    @property
    def chosen(self) -> dict[str, Any]:
        return self.cleaned_data | {"post": AppointedPost(self.cleaned_data["post"])}


class AppointmentFilterForm(forms.Form):
    q = forms.CharField(label=_("Name"), required=False, max_length=80)
    post = forms.ChoiceField(
        label=_("Post"), required=False, choices=[("", _("All")), *AppointedPost.choices]
    )
    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *AppointmentStatus.choices]
    )
