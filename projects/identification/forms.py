"""The form of a column's verdict; it translates what was typed, the services decide."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .enums import ColumnRole, Severity
from .presentation import Row
from .services import Given


class VerdictForm(forms.Form):
    """One line of the table. No role is chosen beforehand: an untouched line stays without a verdict."""

    role = forms.ChoiceField(label=_("Role"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    severity = forms.ChoiceField(
        label=_("Harm when it becomes known"),
        required=False,
        help_text=_("Of a sensitive attribute: it sets the highest overall risk that the gate allows."),
        choices=[("", _("Not said")), *Severity.choices],
    )
    reason = forms.CharField(
        label=_("Reason"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, data: Any, *, row: Row, kinds: list[tuple[str, str]]) -> None:
        self.row = row
        verdict, suggestion = row.verdict, row.report.suggestion
        initial = {
            "role": verdict.role if verdict else "",
            "kind": verdict.kind if verdict else suggestion.kind if suggestion else "",
            "severity": verdict.severity if verdict else "",
            "reason": verdict.reason if verdict else "",
        }
        super().__init__(data, prefix=f"c{row.report.position}", initial=initial)
        self.fields["role"].choices = [("", gettext("Choose")), *ColumnRole.choices]  # type: ignore[attr-defined]
        self.fields["kind"].choices = [("", gettext("None of these")), *kinds]  # type: ignore[attr-defined]

    @property
    def given(self) -> Given | None:
        """The verdict that was typed; None where the line was left empty."""
        values = self.cleaned_data
        if not values.get("role") and not values.get("reason"):
            return None
        return Given(
            self.row.column,
            values.get("role", ""),
            values.get("kind", ""),
            values.get("reason", ""),
            severity=values.get("severity", ""),
        )


class ReasonForm(forms.Form):
    """Why several verdicts are given at once."""

    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("It is put before what speaks for each suggestion.")
    )
