"""The forms of a need and of its answer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ...enums import Instead, Met, Trigger
from ...forms import ContentForm, long_text
from .content import Need, need_read
from .wording import NEED


def _point() -> forms.ChoiceField:
    return forms.ChoiceField(choices=Met.choices, widget=forms.RadioSelect)


class NeedForm(ContentForm):
    """Why the data are needed, and whether it can be done."""

    draft_name = "objective.need"

    trigger = forms.ChoiceField(choices=Trigger.choices, widget=forms.RadioSelect)
    due_on = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), required=False
    )
    who = long_text(3)
    act = long_text(3)
    what = long_text(3)
    ground = long_text(3)
    scene = long_text(3)
    benefit = long_text(3)
    instead = forms.MultipleChoiceField(choices=Instead.choices, widget=forms.CheckboxSelectMultiple)
    instead_why = long_text(3)
    structured = _point()
    bearable = _point()
    unrecoverable = _point()
    usable = _point()
    points_why = long_text(3)
    resources = long_text(3)
    skill = long_text(3)
    time = long_text(3)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ask(NEED)

    def read(self, data: dict[str, Any]) -> Need:
        return need_read(data)


class AnswerForm(forms.Form):
    """The planning manager's answer to a need."""

    answer = forms.ChoiceField(
        label=_("Answer to the need"),
        choices=[("accept", _("Accept it")), ("return", _("Send it back"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), strip=True
    )
    number = forms.IntegerField(widget=forms.HiddenInput)
