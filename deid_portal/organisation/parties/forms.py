"""Forms of the register of organisations: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.countries import HERE, country_choices
from projects.core.drafts.forms import KeptForm

from .enums import PartyKind
from .events import FIELDS
from .models import Party


class PartyForm(KeptForm):
    """What the register says of an organisation."""

    draft_name = "organisation.party"

    name = forms.CharField(
        label=pgettext_lazy("in the register of organisations", "Name of the organisation"),
        max_length=120,
        help_text=_("As agreements name it: an agreement with this name becomes its own."),
    )
    kind = forms.ChoiceField(label=_("What it is to us"), choices=PartyKind.choices, widget=forms.RadioSelect)
    country = forms.ChoiceField(label=_("Country or region"), choices=country_choices)
    code = forms.CharField(
        label=_("Unified social credit code or another number"),
        max_length=40,
        required=False,
        help_text=_(
            "Where it has 18 characters and the organisation is on the mainland, its last character is checked."
        ),
    )
    contact = forms.CharField(
        label=_("Who answers there for personal information"),
        max_length=200,
        required=False,
        help_text=_("Stands in the audit log: name an office and how it is reached, not a person."),
    )

    def __init__(self, *args: Any, party: Party | None = None, **kwargs: Any) -> None:
        """``party``: the one that is changed."""
        super().__init__(*args, **kwargs)
        self.initial = {name: getattr(party, name) for name in FIELDS} if party else {"country": HERE}


class PartyEndForm(forms.Form):
    """Why it is over with an organisation."""

    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=_("Stands in the audit log."))
