"""Forms of incidents; they translate only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm

from .enums import IncidentAct, IncidentKind, IncidentSeverity
from .rules import IncidentReason

LONG = 4000
MOMENT = "%Y-%m-%dT%H:%M"


class IncidentForm(KeptForm):
    """What happened, and when it was noticed."""

    draft_name = "incidents.incident"

    kind = forms.ChoiceField(label=_("What happened"), choices=IncidentKind.choices, widget=forms.RadioSelect)
    severity = forms.ChoiceField(
        label=_("Severity"), choices=IncidentSeverity.choices, widget=forms.RadioSelect
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_(
            "What was seen, where and by whom, and which data are affected. Do not include personal data."
        ),
    )
    noticed_at = forms.DateTimeField(
        label=_("Noticed"),
        input_formats=[MOMENT, "%Y-%m-%dT%H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        now = timezone.localtime().replace(second=0, microsecond=0)
        super().__init__(*args, **({"initial": {"noticed_at": now}} | kwargs))

    def clean_noticed_at(self) -> datetime:
        at: datetime = self.cleaned_data["noticed_at"]
        if at > timezone.now():
            raise forms.ValidationError(IncidentReason.IN_FUTURE.label)
        return at


class ActForm(KeptForm):
    """One of the acts that somebody may do now, and what was done."""

    draft_name = "incidents.act"
    never_kept = frozenset({"act"})

    act = forms.ChoiceField(label=_("What is done"), widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("In words"),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "What was done and why; for a notification: to whom, when and how. Do not include personal data."
        ),
    )

    def __init__(self, *args: Any, acts: Iterable[IncidentAct], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["act"].choices = [(one.value, one.label) for one in acts]  # type: ignore[attr-defined]
