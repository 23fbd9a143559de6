"""The forms of the sheet of columns; they translate what was typed, the services decide."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.objective.enums import Classification

from . import services
from .enums import ColumnRole, Severity
from .presentation import Row
from .services import Given


class SeveralForm(forms.Form):
    """What is said of several columns at once: a verdict about those that are ticked, and a reason for all lines that have
    none of their own."""

    reason = forms.CharField(
        label=_("Reason for the rows without one of their own"), required=False, max_length=500
    )
    role = forms.ChoiceField(label=_("Role"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    severity = forms.ChoiceField(
        label=_("Harm when it becomes known"),
        required=False,
        choices=[("", _("Not stated")), *Severity.choices],
    )
    grade = forms.ChoiceField(label=_("Grade of the column"), required=False)
    against = forms.BooleanField(
        label=_("This reason also applies against what the scan found in these columns"), required=False
    )

    def __init__(self, data: Any, *, kinds: list[tuple[str, str]]) -> None:
        super().__init__(data, prefix="all")
        unchanged = ("", gettext("As in each row"))
        self.fields["role"].choices = [unchanged, *ColumnRole.choices]  # type: ignore[attr-defined]
        self.fields["kind"].choices = [unchanged, *kinds]  # type: ignore[attr-defined]
        self.fields["grade"].choices = [unchanged, *Classification.choices]  # type: ignore[attr-defined]

    @property
    def said(self) -> dict[str, str]:
        """What is said of the columns that are ticked."""
        names = ("role", "kind", "severity", "grade")
        return {name: self.cleaned_data[name] for name in names if self.cleaned_data[name]}


class VerdictForm(forms.Form):
    """One line of the sheet. No role is chosen beforehand, and no reason is written beforehand: an untouched line stays as
    it is."""

    role = forms.ChoiceField(label=_("Role"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    severity = forms.ChoiceField(
        label=_("Harm when it becomes known"),
        required=False,
        help_text=_("For a sensitive attribute: it sets the highest overall risk that the gate allows."),
        choices=[("", _("Not stated")), *Severity.choices],
    )
    grade = forms.ChoiceField(
        label=_("Grade of the column"),
        required=False,
        help_text=_(
            "Only where it is higher than that of the data: a result with the column then does not pass the gate."
        ),
        choices=[("", _("As the data of the project")), *Classification.choices],
    )
    reason = forms.CharField(
        label=_("Reason"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, data: Any, *, row: Row, kinds: list[tuple[str, str]]) -> None:
        self.row = row
        verdict, suggestion = row.verdict, row.report.suggestion
        self.before = {
            "role": verdict.role if verdict else "",
            "kind": verdict.kind if verdict else suggestion.kind if suggestion else "",
            "severity": verdict.severity if verdict else "",
            "grade": verdict.grade if verdict else "",
        }
        super().__init__(data, prefix=f"c{row.report.position}", initial=self.before)
        self.fields["role"].choices = [("", gettext("Choose")), *ColumnRole.choices]  # type: ignore[attr-defined]
        self.fields["kind"].choices = [("", gettext("None of these")), *kinds]  # type: ignore[attr-defined]

    @property
    def short_kinds(self) -> list[tuple[str, str, bool]]:
        """The kinds that speak for themselves in this line, with the chosen one: (code, name, chosen). The page's script fills
        in all others from the list above the sheet, which serves who has no script."""
        chosen, report = str(self["kind"].value() or ""), self.row.report
        near = [chosen, *((report.lookup and [report.lookup.kind]) or []), *(f.kind for f in report.findings)]
        near += [report.suggestion.kind] if report.suggestion else []
        names = self.row.names
        return [(code, names.get(code, code), code == chosen) for code in dict.fromkeys(filter(None, near))]

    def given(self, several: SeveralForm, *, is_picked: bool) -> Given | None:
        """The verdict that was typed; None where the line was left as it is.

        The reason is the line's own; else the one for several, which speaks against a finding only where it says so; else
        the one that the same role has already; else, where nothing is set aside, what speaks for the suggestion.
        """
        said = {name: self.cleaned_data.get(name, "") for name in self.before}
        reason = self.cleaned_data.get("reason", "").strip()
        if is_picked:
            said |= several.said
            if said["role"] != ColumnRole.SENSITIVE:
                said["severity"] = ""
        if not reason and (not said["role"] or said == self.before) and not is_picked:
            return None
        report, former, role = self.row.report, self.row.verdict, said["role"]
        against = role in ColumnRole.values and report.overruled_by(ColumnRole(role))
        if not against or several.cleaned_data["against"]:
            reason = reason or several.cleaned_data["reason"].strip()
        if not reason and former is not None and former.role == role:
            reason = former.reason
        suggested = report.suggestion
        if (
            not reason
            and not against
            and suggested
            and (role, said["kind"]) == (suggested.role, suggested.kind)
        ):
            return services.accepted(report, severity=said["severity"], grade=said["grade"])
        return Given(
            self.row.column, role, said["kind"], reason, severity=said["severity"], grade=said["grade"]
        )
