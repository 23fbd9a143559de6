"""Forms of the disposal of data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.datasets.store.holdings import HeldKind

from .presentation import kinds_text


def _reason(label: Any, hint: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label, max_length=500, widget=forms.Textarea(attrs={"rows": 2}), help_text=hint
    )


class ProposeForm(KeptForm):
    """``there``: the kinds of which anything is there."""

    draft_name = "disposal.proposal"

    kinds = forms.MultipleChoiceField(label=_("What is to be destroyed"), widget=forms.CheckboxSelectMultiple)
    reason = _reason(_("Why the data are no longer needed"))

    def __init__(self, *args: Any, there: Sequence[HeldKind], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "id_propose_%s"} | kwargs)
        field = self.fields["kinds"]
        field.choices = [(kind.value, kinds_text(kind)) for kind in there]  # type: ignore[attr-defined]
        field.initial = [kind.value for kind in there]


class CarryOutForm(forms.Form):
    reason = _reason(
        _("Why the data are destroyed"),
        _("Nobody can read them afterwards, and no run can be repeated or reversed."),
    )


class KeepForm(forms.Form):
    reason = _reason(_("Why the data are kept"))
