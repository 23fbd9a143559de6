"""The form that proposes how many people sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.enums import SharingType

from ..models import SIGNERS_BOUNDS


class SignersForm(KeptForm):
    """A number for each sharing type."""

    draft_name = "organisation.signers"

    def __init__(self, *args: Any, now: Mapping[str, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in SharingType:
            self.fields[kind.value] = forms.IntegerField(
                label=_("%(kind)s: members of senior management who sign") % {"kind": kind.label},
                min_value=SIGNERS_BOUNDS[0],
                max_value=SIGNERS_BOUNDS[1],
                initial=now[kind.value],
            )
        self.fields["reason"] = forms.CharField(label=_("Reason for this version"), max_length=500)

    def needed(self) -> dict[str, int]:
        """What is proposed."""
        return {kind.value: self.cleaned_data[kind.value] for kind in SharingType}
