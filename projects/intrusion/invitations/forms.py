"""Forms about invited outsiders; they translate only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.countries import HERE, country_choices
from approvals.governance.person import by_reading
from projects.core.drafts.forms import KeptForm

from ..enums import Certainty
from ..forms import LONG, reference_field
from ..models import IntruderClaim, Invitation

MOST_RECORD = 999_999_999


def _label(model: Any, name: str) -> Any:
    return model._meta.get_field(name).verbose_name


class InviteForm(KeptForm):
    """Whom, for what, until when, and what of the test they are told."""

    draft_name = "intrusion.invitation"

    tester = forms.ChoiceField(
        label=_label(Invitation, "tester"), help_text=_("An administrator makes such accounts.")
    )
    country = forms.ChoiceField(
        label=_label(Invitation, "country"),
        choices=country_choices,
        initial=HERE,
        help_text=_(
            "Where they look at the result. One that leaves the mainland (to Hong Kong, Macao, Taiwan or abroad) needs an impact "
            "assessment that names the place and what permits it."
        ),
    )
    task = forms.CharField(
        label=_label(Invitation, "task"),
        help_text=_("In plain words; they also read the scope and the auxiliary data of the test."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    until = forms.DateField(
        label=_label(Invitation, "until"),
        help_text=_("The last day on which they see the result."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    gets_file = forms.BooleanField(
        label=_label(Invitation, "gets_file"),
        required=False,
        help_text=_("Otherwise they look at the first rows here, page by page."),
    )
    shows_verdicts = forms.BooleanField(label=_label(Invitation, "shows_verdicts"), required=False)

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(one.pk): one for one in people}
        field: Any = self.fields["tester"]
        rows = [(key, str(one)) for key, one in self.people.items()]
        field.choices = [("", _("Choose")), *sorted(rows, key=lambda row: by_reading(row[1]))]

    def clean_tester(self) -> Any:
        return self.people[self.cleaned_data["tester"]]


class EndForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 2}), max_length=500)


class InvitedClaimForm(KeptForm):
    """Which record a tester believes to be whose, how they came to it, and how sure they are."""

    draft_name = "intrusion.invited_claim"

    table = forms.ChoiceField(label=_("Table"))
    record = forms.IntegerField(
        label=_label(IntruderClaim, "record"),
        min_value=1,
        max_value=MOST_RECORD,
        help_text=_("Its number in front of the row; 1 is the first one."),
    )
    reference = reference_field()
    grounds = forms.CharField(
        label=_label(IntruderClaim, "grounds"),
        help_text=_("Which columns and which sources, without naming the person."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    certainty = forms.ChoiceField(
        label=_label(IntruderClaim, "certainty"), choices=Certainty.choices, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, tables: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [*tables]
        self.fields["table"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        if names == [""]:
            del self.fields["table"]
