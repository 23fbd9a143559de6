"""The form that proposes how long each kind of data is kept."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.datasets.store.holdings import DATA
from projects.disposal.presentation import kinds_text
from projects.disposal.terms import Terms

from .terms import MOST_DAYS


class RetentionForm(KeptForm):
    """A number of days a kind, or nothing."""

    draft_name = "organisation.retention"

    def __init__(self, *args: Any, now: Terms, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in DATA:
            self.fields[kind.value] = forms.IntegerField(
                label=_("%(kind)s: days after the end of the project")
                % {"kind": kinds_text(kind).capitalize()},
                min_value=0,
                max_value=MOST_DAYS,
                required=False,
                initial=now.days.get(kind.value),
                help_text=_("Empty: no term."),
            )
        self.fields["reason"] = forms.CharField(label=_("Reason for this version"), max_length=500)

    def days(self) -> dict[str, int | None]:
        """What is proposed."""
        return {kind.value: self.cleaned_data[kind.value] for kind in DATA}
