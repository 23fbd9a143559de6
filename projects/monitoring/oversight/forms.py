"""The form of senior management's review of records; it translates what was typed, the services decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import ManagementOutcome
from projects.core.models import Project
from projects.findings.forms import FindingForm

from ..forms import FiveFieldsForm
from .rules import may_conclude_so

MOST_AT_ONCE = 3
"""So many deviations have a place on the page; further ones are raised from the review."""


class RecordsReviewForm(FiveFieldsForm):
    """The five fields, the conclusion, and the deviations that were found, each with all that a finding says."""

    offers: Mapping[str, Sequence[Any]] = {
        **FiveFieldsForm.offers,
        "result": FiveFieldsForm.offers["result"][:1],
        "measures": (
            *FiveFieldsForm.offers["measures"],
            _("Each deviation was raised as a finding with an owner and a due date."),
        ),
    }

    RAISED = "1"
    """The offered measure by which there were deviations."""

    outcome = forms.ChoiceField(
        label=_("Conclusion"), choices=ManagementOutcome.choices, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parts = [
            FindingForm(
                self.data if self.is_bound else None,
                project=project,
                known=("source", "stage"),
                prefix=f"deviation{number}",
                # One that nobody began says nothing.
                empty_permitted=True,
                use_required_attribute=False,
            )
            for number in range(1, MOST_AT_ONCE + 1)
        ]
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            ManagementOutcome.SOUND.value: _("The project stays where it is."),
            ManagementOutcome.DEVIATING.value: _(
                "Each deviation stated above becomes a finding; the project stays where it is."
            ),
        }

    @property
    def deviations(self) -> list[dict[str, Any]]:
        """What was stated, as the arguments of a finding."""
        return [part.cleaned_data for part in self.parts if part.has_changed() and part.is_valid()]

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        if name == "measures" and self.cleaned_data.get("outcome") == ManagementOutcome.DEVIATING:
            return self.offers["measures"][1:]
        return super().follows(name, chosen)

    def clean(self) -> dict[str, Any]:
        outcome = self.cleaned_data.get("outcome")
        # What is sound has the first of both lists, what deviates the second of the measures.
        against = self.RAISED if outcome == ManagementOutcome.SOUND else self.SOUND
        for name in ("result", "measures"):
            if outcome and against in self.cleaned_data.get(f"{name}_chosen", ()):
                self.add_error(name, _("The suggested sentence does not fit the conclusion."))
        data = super().clean()
        if not all(part.is_valid() for part in self.parts):
            self.add_error(None, _("A deviation is stated in part only; complete it or clear it."))
        elif outcome:
            verdict = may_conclude_so(ManagementOutcome(outcome), len(self.deviations))
            if not verdict:
                self.add_error("outcome", verdict.text)
        return data

    def review(self) -> dict[str, Any]:
        """The arguments of ``records_review``."""
        given = self.five_fields() | {name: self.cleaned_data[name] for name in ("content", "outcome")}
        return given | {"deviations": self.deviations}
