"""Forms of verification: they translate, and decide nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from projects.core.forms import DecisionForm


class ReleaseDecisionForm(DecisionForm):
    """The decision about the verified result."""

    hints = {
        Decision.APPROVED: _("Exactly this result may be released; your signature pins its hash."),
        Decision.RETURNED: _("The executor goes back to processing; everything measured is kept."),
        Decision.REJECTED: _("The project ends here and nothing is released."),
    }

    acceptance = forms.CharField(
        label=_("Why a degree of anonymisation below 1 is accepted"),
        help_text=_(
            "Required for approval only. It appears in the approval report, and the recipients can read it."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=2000,
        strip=True,
        required=False,
    )

    def __init__(self, *args: Any, below: bool, **kwargs: Any) -> None:
        """``below``: the degree of anonymisation is below 1, so that approving takes a reason of its own."""
        super().__init__(*args, **kwargs)
        if not below:
            del self.fields["acceptance"]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        approves = given.get("decision") == Decision.APPROVED
        if "acceptance" in self.fields and approves and not given.get("acceptance"):
            self.add_error("acceptance", _("State why it is accepted, or return the result."))
        found = super().clean()
        return found if approves else found | {"acceptance": ""}


def ids_read(texts: Iterable[str]) -> list[uuid.UUID]:
    """The ids among what a form posted; what is none is dropped."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
