"""Forms of verification: they translate, and decide nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision


class DecisionForm(forms.Form):
    """Senior management's decision about exactly the verified result that the page shows."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (Decision.APPROVED, _("Approve")),
            (Decision.RETURNED, _("Return for rework")),
            (Decision.REJECTED, _("Reject for good")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("It stands in the audit log, in the document, and everybody in the project can read it."),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=2000,
        strip=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["decision"].choice_hints = {  # type: ignore[attr-defined]
            Decision.APPROVED.value: _("Exactly this result may be released; your signature pins its hash."),
            Decision.RETURNED.value: _("The executor goes back to processing; everything measured is kept."),
            Decision.REJECTED.value: _("The project ends here and nothing is released."),
        }

    def without_approval(self) -> None:
        """Take approving off the page; the service would refuse it anyway, and the page says why."""
        field = self.fields["decision"]
        field.choices = [c for c in field.choices if c[0] != Decision.APPROVED]  # type: ignore[attr-defined]


def ids_read(texts: Iterable[str]) -> list[uuid.UUID]:
    """The ids among what a form posted; what is none is dropped."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
