"""Forms of intruder tests; they translate only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm

from .enums import Knowledge
from .models import IntruderClaim

LONG = 4000
MOST_CLAIMS = 1000


def _text(label: Any, help_text: Any, rows: int = 3) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=LONG, widget=forms.Textarea(attrs={"rows": rows}), help_text=help_text
    )


class OpenForm(KeptForm):
    """What is tried, by whom, and with what."""

    draft_name = "intrusion.test"

    knowledge = forms.ChoiceField(
        label=_("Who the testers stand for"), choices=Knowledge.choices, widget=forms.RadioSelect
    )
    scope = _text(_("Scope"), _("Which part of the result, which persons, how long; what is out of bounds."))
    testers = _text(_("Testers"), _("Who tries, and what makes them competent."))
    auxiliary = _text(
        _("Auxiliary data"), _("What they may use: registers, media, social networks, internal data.")
    )


class RecordsField(forms.CharField):
    """Numbers of records, apart by blanks, commas or lines."""

    def clean(self, value: Any) -> Any:
        parts = [part for part in re.split(r"[\s,;，；、]+", super().clean(value)) if part]
        if not all(part.isdecimal() and len(part) <= 9 for part in parts):
            raise ValidationError(_("Numbers of records, apart by commas or lines."), code="invalid")
        if len(parts) > MOST_CLAIMS:
            raise ValidationError(_("Too many at a time."), code="max_length")
        return list(dict.fromkeys(int(part) for part in parts))


def reference_field() -> forms.CharField:
    return forms.CharField(
        label=_("Where it says who that is"),
        max_length=100,
        help_text=_("For instance the number of a sealed envelope. No data about a person here."),
    )


class ClaimForm(forms.Form):
    """Which records the testers say that they know, and where it says who these are."""

    table = forms.ChoiceField(label=_("Table"))
    records = RecordsField(
        label=_("Records of the result"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("1 is the first one after the names of the columns; several apart by commas or lines."),
    )
    reference = reference_field()

    def __init__(self, *args: Any, tables: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [*tables]
        self.fields["table"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        if names == [""]:
            del self.fields["table"]


class CheckForm(forms.Form):
    """Which claims were held against the source, and what came of it."""

    claims = forms.MultipleChoiceField(label=_("Claims"), widget=forms.CheckboxSelectMultiple)
    right = forms.TypedChoiceField(
        label=_("What the source says of them"),
        choices=[("yes", _("All of them are right")), ("no", _("All of them are wrong"))],
        coerce=lambda said: said == "yes",
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, waiting: Iterable[IntruderClaim], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        said = _("Claim %(number)s: record %(record)s (%(reference)s)")
        self.fields["claims"].choices = [  # type: ignore[attr-defined]
            (
                str(one.pk),
                said % {"number": one.number, "record": one.place, "reference": one.reference},
            )
            for one in waiting
        ]


class CloseForm(forms.Form):
    """Of how many persons, and what follows from it."""

    attempts = forms.IntegerField(
        label=_("Persons whom they tried to recognise"),
        min_value=1,
        max_value=1_000_000,
        help_text=_("Those about whom nothing was claimed too."),
    )
    conclusion = _text(_("Conclusion"), _("What the testers did, and what follows from it."), 4)
