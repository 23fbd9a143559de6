"""Forms of samples that recipients check; they translate only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.releases.models import Release

from ..forms import DayInput
from .enums import DeviationKind, RemedyKind
from .models import ReceivedSample
from .rules import MOST_ROWS

LONG = 2000
WITHOUT_PERSONS = gettext_lazy("Row numbers and columns, never a value: do not include personal data.")


class SampleForm(forms.Form):
    file = forms.TypedChoiceField(label=gettext_lazy("File"), coerce=int)
    size = forms.IntegerField(
        label=gettext_lazy("How many rows to draw"), min_value=1, max_value=MOST_ROWS, initial=20
    )

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].choices = [  # type: ignore[attr-defined]
            (number, file["file_name"]) for number, file in enumerate(release.files)
        ]


class DeviationForm(forms.Form):
    """A field for each of the ``kinds`` of what may be found, or a tick that nothing was."""

    kinds: type[TextChoices]
    nothing = forms.BooleanField(
        label=gettext_lazy("Nothing of what follows was found in these rows"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in self.kinds:
            self.fields[kind.value] = forms.CharField(
                label=kind.label,
                help_text=WITHOUT_PERSONS,
                max_length=LONG,
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    @property
    def deviations(self) -> dict[Any, str]:
        return {kind: text for kind in self.kinds if (text := self.cleaned_data.get(kind.value, ""))}

    def clean(self) -> dict[str, Any]:
        if bool(self.deviations) == bool(self.cleaned_data.get("nothing")):
            raise forms.ValidationError(_("State what was found, or that nothing was."))
        return self.cleaned_data


class ReportForm(DeviationForm):
    kinds = DeviationKind
    field_order = ("checked_on", "checked", "nothing")

    checked_on = forms.DateField(label=gettext_lazy("Checked on"), widget=DayInput)
    checked = forms.IntegerField(label=gettext_lazy("Rows looked through"), min_value=1)

    def __init__(self, *args: Any, sample: ReceivedSample, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["nothing"].label = _(
            "Nothing of what follows was found in these rows or happened to the data"
        )
        most = sample.looked if sample.inside else sample.size
        self.fields["checked"].initial = self.fields["checked"].max_value = most  # type: ignore[attr-defined]
        if sample.persons is not None:
            self.fields["checked"].label = _("Persons looked through")


class RemedyForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("What was done with the data"),
        choices=RemedyKind.of_recipient(),
        widget=forms.RadioSelect,
    )
    done_on = forms.DateField(label=gettext_lazy("Done on"), widget=DayInput)
    text = forms.CharField(
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("What exactly, with which copies, by whom. Do not include personal data."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class SteadForm(RemedyForm):
    """The planning manager may also say that nothing is known."""

    stead_reason = forms.CharField(
        label=gettext_lazy("Why you state it in the recipient's stead"),
        help_text=gettext_lazy("It is recorded in the audit log: do not include personal data."),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = RemedyKind.choices  # type: ignore[attr-defined]


class RemedyDecisionForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("It is recorded in the audit log: do not include personal data."),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
