"""Forms of requests to fetch; they translate what was typed, the services decide."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.forms import ApprovalForm

from ...models import Release


class FetchRequestForm(KeptForm):
    """Which file of the release, and what for."""

    draft_name = "releases.fetch_request"

    file = forms.TypedChoiceField(label=_("File"), coerce=int)
    purpose = forms.CharField(
        label=_("What it is needed for"),
        max_length=500,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "The supervisor decides by it, and it is in the audit log: do not include personal data."
        ),
    )

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        file = cast(forms.TypedChoiceField, self.fields["file"])
        file.choices = [(number, one["file_name"]) for number, one in enumerate(release.files)]


class FetchDecisionForm(ApprovalForm):
    """The supervisor's decision about one fetch."""

    approve = _("Approve one fetch")
    refuse = _("Refuse the fetch")
