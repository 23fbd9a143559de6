"""Forms about trainings: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.person import by_reading
from deid_portal.accounts.models import User
from projects.core.drafts.forms import KeptForm
from projects.core.texts import is_sha256
from projects.workflow import Role

from ..enums import ROLES, AttendanceOutcome
from ..models import Training
from .selectors import people_beside, people_concerned

OUTCOME = "outcome_"


class TrainingForm(KeptForm):
    """A training that is to be held."""

    draft_name = "records.training"

    title = forms.CharField(label=_("Training"), max_length=120)
    teaches = forms.CharField(
        label=_("What it teaches, and how that is tested"),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=1000,
    )
    roles = forms.MultipleChoiceField(
        label=_("For holders of these roles"),
        choices=[(role.value, role.label) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
    )
    held_on = forms.DateField(
        label=pgettext_lazy("a date", "Day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    valid_months = forms.IntegerField(
        label=_("Months for which a passed test counts"),
        min_value=1,
        max_value=120,
        required=False,
        help_text=_("Leave empty if it has no end date."),
    )
    repeat_months = forms.IntegerField(
        label=_("Months until it is held again"),
        min_value=1,
        max_value=60,
        required=False,
        help_text=_("The next one is planned once this one was held. Leave empty if it does not repeat."),
    )

    @property
    def planned(self) -> dict[str, Any]:
        """What the service is given."""
        return self.cleaned_data | {"roles": [Role(role) for role in self.cleaned_data["roles"]]}


class AttendanceForm(forms.Form):
    """What became of each person whom the training is for, and who else passed its test."""

    def __init__(self, *args: Any, training: Training, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.concerned = sorted(people_concerned(training), key=lambda one: by_reading(str(one)))
        for one in self.concerned:
            self.fields[outcome_name(one)] = forms.ChoiceField(
                label=f"{one} · {one.department}" if one.department else str(one),
                choices=[("", _("Choose")), *AttendanceOutcome.choices],
            )
        beside = people_beside(training)
        if beside.exists():
            self.fields["others"] = forms.ModelMultipleChoiceField(
                label=_("Others who passed the test"),
                queryset=beside.order_by("full_name", "username"),
                required=False,
                help_text=_("Who holds none of these roles yet. Several are chosen with Ctrl or Cmd."),
            )
        self.fields["kept_at"] = forms.CharField(
            label=_("Where the list of attendance and the tests lie"), max_length=200
        )
        self.fields["document_hash"] = forms.CharField(
            label=_("SHA-256 of the scan"),
            required=False,
            max_length=64,
            validators=[is_sha256],
        )

    def clean(self) -> dict[str, Any]:
        """Nobody's outcome is lost: of who has left the list since the page was opened it is said so."""
        data = super().clean() or {}
        if any(name.startswith(OUTCOME) and name not in self.fields for name in self.data):
            self.add_error(
                None, _("The list of people has changed since the page was opened. Look at it again.")
            )
        return data

    @property
    def held(self) -> dict[str, Any]:
        """What the service is given."""
        said = self.cleaned_data
        return {
            "outcomes": {one.pk: AttendanceOutcome(said[outcome_name(one)]) for one in self.concerned},
            "others": list(said.get("others", ())),
            "kept_at": said["kept_at"],
            "document_hash": said["document_hash"],
        }


def outcome_name(person: User) -> str:
    """The field that says what became of ``person``."""
    return f"{OUTCOME}{person.pk}"
