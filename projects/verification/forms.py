"""Forms of verification: they translate, and decide nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from projects.core.forms import DecisionForm

# They are there only where there is something to accept.
ACCEPTANCES = ("acceptance", "related_acceptance")


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

    related_acceptance = forms.CharField(
        label=_("Why what related releases reveal together with it is accepted"),
        help_text=_(
            "Required for approval only. It appears in the approval report; recipients cannot read it."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=2000,
        strip=True,
        required=False,
    )

    def __init__(self, *args: Any, accepts: Iterable[str], **kwargs: Any) -> None:
        """``accepts``: the fields in which approving takes a reason of its own."""
        super().__init__(*args, **kwargs)
        self.accepts = [*accepts]
        for name in ACCEPTANCES:
            if name not in self.accepts:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        approves = given.get("decision") == Decision.APPROVED
        for name in self.accepts:
            if approves and not given.get(name):
                self.add_error(name, _("State why it is accepted, or return the result."))
        found = super().clean()
        return found if approves else found | dict.fromkeys(self.accepts, "")


def ids_read(texts: Iterable[str]) -> list[uuid.UUID]:
    """The ids among what a form posted; what is none is dropped."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
