"""Forms of publications; they translate what was typed, the services decide."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.forms import ApprovalForm


class PublicationForm(KeptForm):
    """What everybody will read beside the data."""

    draft_name = "releases.publication"

    title = forms.CharField(label=_("Title"), max_length=200, strip=True)
    summary = forms.CharField(
        label=_("What the data are about"),
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Everybody reads it: no names of persons, no internal names."),
    )
    conditions = forms.CharField(
        label=_("Conditions of use"),
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The licence, how to cite the data, and what must not be done with them."),
    )
    contact = forms.CharField(
        label=_("Whom readers ask"),
        max_length=200,
        strip=True,
        help_text=_("An office with its address; everybody can read it."),
    )
    irrevocable = forms.BooleanField(
        label=_("I know that what has been downloaded cannot be recalled."),
        error_messages={"required": _("Please confirm that completely public sharing cannot be undone.")},
    )


class PublicationDecisionForm(ApprovalForm):
    """The supervisor's decision about exactly what the page shows."""

    approve = _("Approve the publication")
    refuse = _("Refuse the publication")
