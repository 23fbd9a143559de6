"""Forms of review and monitoring; they translate what was typed, the services decide."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import ReviewOutcome
from approvals.governance.verdict import Verdict

from .enums import ChangeKind, ReassessmentOutcome

LONG = 4000
# What a field of type datetime-local sends and wants to be given.
MOMENT = "%Y-%m-%dT%H:%M"


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=MOMENT)


def _long(rows: int, **kwargs: Any) -> forms.CharField:
    return forms.CharField(widget=forms.Textarea(attrs={"rows": rows}), max_length=LONG, strip=True, **kwargs)


class ReviewForm(forms.Form):
    """A stage review with the five fields that 5.6.1 wants, and its conclusion.

    ``content`` is the hash of what the page showed: a review of something else is refused.
    """

    content = forms.CharField(widget=forms.HiddenInput, max_length=64)
    object = _long(
        2, label=_("Object of the review"), help_text=_("Which documents and records were looked at.")
    )
    time = forms.DateTimeField(
        label=_("Time of the review"), input_formats=[MOMENT, "%Y-%m-%dT%H:%M:%S"], widget=MomentInput
    )
    process = _long(
        4,
        label=_("Process of the review"),
        help_text=_("How it was reviewed: compared with what, which samples."),
    )
    result = _long(
        4,
        label=_("Result of the review"),
        help_text=_(
            "Complete or not, sound or not; errors and deviations. When returned, this is the reason that everybody reads."
        ),
    )
    measures = _long(
        3,
        label=_("Measures taken"),
        help_text=_("What was or will be done about deviations; if nothing, say that and why."),
    )
    outcome = forms.ChoiceField(
        label=_("Conclusion"), choices=ReviewOutcome.choices, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, current_hash: str, may_pass: Verdict, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.current_hash, self.may_pass = current_hash, may_pass
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            ReviewOutcome.PASSED.value: _("The project goes on; the review holds for exactly this content."),
            ReviewOutcome.RETURNED.value: _(
                "The project goes back to who submitted it, with your result as the reason."
            ),
        }

    def clean_time(self) -> datetime:
        moment: datetime = self.cleaned_data["time"]
        try:
            return self.check_time(moment)
        except forms.ValidationError as error:
            # Of a field's own check, a form wants the text alone.
            raise forms.ValidationError(error.messages) from None

    @staticmethod
    def check_time(moment: datetime) -> datetime:
        """A clock that is a little ahead is forgiven."""
        if moment > timezone.now() + timedelta(minutes=5):
            raise forms.ValidationError({"time": _("The review cannot lie in the future.")})
        return moment

    def clean_outcome(self) -> ReviewOutcome:
        outcome = ReviewOutcome(self.cleaned_data["outcome"])
        if outcome == ReviewOutcome.PASSED and not self.may_pass:
            raise forms.ValidationError(self.may_pass.text)
        return outcome

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("content") != self.current_hash:
            raise forms.ValidationError(
                _("The content has changed since this page was opened. Look at it again, then send the form.")
            )
        return data

    def review(self) -> dict[str, Any]:
        """The arguments of ``stage_review_record``."""
        return {name: value for name, value in self.cleaned_data.items() if name != "content"}


class ChangeForm(forms.Form):
    """Something that may change the risk (5.6.2 a–d)."""

    kind = forms.ChoiceField(label=_("What changed"), choices=ChangeKind.choices, widget=forms.RadioSelect)
    description = _long(
        3,
        label=_("Description"),
        help_text=_("What exactly, and why it may change the risk. No personal data here."),
    )
    happened_on = forms.DateField(label=_("Date of the change"), widget=DateInput)

    def clean_happened_on(self) -> Any:
        day = self.cleaned_data["happened_on"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("The change cannot lie in the future."))
        return day


class ConclusionForm(forms.Form):
    """The supervisor's conclusion of a re-assessment."""

    outcome = forms.ChoiceField(
        label=_("Conclusion"), choices=ReassessmentOutcome.choices, widget=forms.RadioSelect
    )
    finding = _long(
        4, label=_("Finding"), help_text=_("What was compared with the targets, and why you conclude so.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            ReassessmentOutcome.KEEP.value: _("The release stays; the next look back is planned."),
            ReassessmentOutcome.VERIFY.value: _(
                "The release ends at once; the result is measured and approved again."
            ),
            ReassessmentOutcome.PROCESS.value: _("The release ends at once; the data are processed again."),
        }
