"""The form that hands the planning of a project over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import by_reading


class HandOverForm(forms.Form):
    to = forms.ChoiceField(label=_("Who will plan the project from now on"))
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=500)

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(one.pk): one for one in people}
        field: Any = self.fields["to"]
        rows = [(key, str(one)) for key, one in self.people.items()]
        field.choices = [("", _("Choose")), *sorted(rows, key=lambda row: by_reading(row[1]))]

    @property
    def chosen(self) -> dict[str, Any]:
        return {"to": self.people[self.cleaned_data["to"]], "reason": self.cleaned_data["reason"]}
