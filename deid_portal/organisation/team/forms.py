"""Forms of the team for personal information: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from deid_portal.accounts.models import User

from .enums import TeamDuty
from .selectors import heads_possible, members_possible


class HeadForm(forms.Form):
    """Whom an administrator proposes as head."""

    account: forms.ModelChoiceField[User] = forms.ModelChoiceField(
        label=_("Person"),
        queryset=None,
        help_text=_(
            "Holds the post of senior management today, and decides themself whether to lead the team."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["account"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = heads_possible()


class SeatForm(forms.Form):
    """A duty that the head gives somebody."""

    account: forms.ModelChoiceField[User] = forms.ModelChoiceField(label=_("Person"), queryset=None)
    duty = forms.ChoiceField(
        label=_("Duty"),
        choices=[(one.value, one.label) for one in TeamDuty if one != TeamDuty.HEAD],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["account"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = members_possible()


class SeatEndForm(forms.Form):
    """Why a duty ends."""

    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=_("Stands in the audit log."))
