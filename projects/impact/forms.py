"""The form of an impact assessment, and that of its decision."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from approvals.countries import HERE, country_choices
from projects.core.drafts.forms import KeptForm
from projects.core.forms import SecondPersonForm

from .content import BETWEEN, LONG, MOST, Content, content_read
from .enums import LawfulBasis, Level, Transfer


def _long(label: Any, hint: Any = "", *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=hint,
        required=required,
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


def _outside() -> list[tuple[str, str]]:
    """Where data go when they cross the border."""
    return [row for row in country_choices() if row[0] != HERE]


class ImpactForm(KeptForm):
    """The contents of article 56, with separate consent and the transfer abroad."""

    draft_name = "impact.assessment"
    keeps_ticks = True

    lawful = _long(
        _("Lawful, legitimate and necessary: purpose and manner"),
        _("What the data are provided for, why these data are needed, and why less would not be enough."),
    )
    impact = _long(
        _("Impact on the people concerned, and the risk to their security"),
        _("What could happen to them if someone is re-identified or a value becomes known."),
    )
    level = forms.ChoiceField(
        label=_("How seriously they are affected"), choices=Level.choices, widget=forms.RadioSelect
    )
    measures = _long(
        _("Measures: lawful, effective and proportionate to the risk"),
        _("De-identification, agreements, surroundings, and what is done if they fail."),
    )
    automated = forms.BooleanField(label=_("Automated decisions are made with the data"), required=False)
    basis = forms.ChoiceField(label=_("What the processing is based on"), choices=LawfulBasis.choices)
    separate_consent = _long(
        _("Separate consent"),
        _(
            "Only where it is based on consent: when and how consent was given for this, and where that is on file."
        ),
        required=False,
    )
    transfer = forms.ChoiceField(label=_("Where the recipients are located"), choices=Transfer.choices)
    country = forms.MultipleChoiceField(
        label=_("Countries and regions"),
        required=False,
        choices=_outside,
        help_text=_("Only for recipients outside the mainland. Several are chosen with Ctrl or Cmd."),
    )
    reference = forms.CharField(
        label=_("Number or file of it"),
        required=False,
        max_length=MOST["reference"],
        help_text=_(
            "Only for recipients outside the mainland: the number of the assessment, contract or certification."
        ),
    )
    content: Content | None = None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                self.content = content_read(data | {"country": BETWEEN.join(data["country"])})
            except ValidationError as error:
                for field, messages in error.message_dict.items():
                    self.add_error(field, messages)
        return data


class ImpactDecisionForm(SecondPersonForm):
    unsaid = _("State whether the assessment is concluded or rejected.")
