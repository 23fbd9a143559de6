"""The form by which the supervisor concludes about copies that are out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..forms import LONG
from .enums import CONCLUSIONS, LaterOutcome, Question
from .incidents import incident_source
from .rules import LaterReason, may_conclude_so
from .selectors import StillOut


def words_name(question: Question) -> str:
    """The field of the words beside a yes or no."""
    return f"{question.value}_words"


class LaterConclusionForm(forms.Form):
    """The questions that no figure answers, the conclusion and its reason; an incident is described by the reason."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONG,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "What speaks for this conclusion. Recipients who are asked and readers of an incident see it; no personal data here."
        ),
    )
    outcome = forms.ChoiceField(label=_("Conclusion"), choices=CONCLUSIONS, widget=forms.RadioSelect)

    def __init__(self, *args: Any, out: StillOut, unmeasured: bool, **kwargs: Any) -> None:
        """``out``: what is out now, which decides whether anybody can be asked; ``unmeasured``: it can be measured, and was not."""
        super().__init__(*args, **kwargs)
        self.out, self.unmeasured = out, unmeasured
        for question in Question:
            self.fields[question.value] = forms.ChoiceField(
                label=question.label, choices=(("yes", _("Yes")), ("no", _("No"))), widget=forms.RadioSelect
            )
            self.fields[words_name(question)] = forms.CharField(
                label=_("In words: %(question)s") % {"question": question.label},
                max_length=LONG,
                strip=True,
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
                help_text=_("Needed where the answer is yes."),
            )
        source = incident_source()
        for name, label, choices in (
            ("kind", pgettext_lazy("incident", "If an incident is reported: what happened"), source.kinds),
            (
                "severity",
                pgettext_lazy("incident", "If an incident is reported: severity"),
                source.severities,
            ),
        ):
            self.fields[name] = forms.ChoiceField(label=label, choices=[("", "–"), *choices], required=False)
        self.order_fields([name for one in Question for name in (one.value, words_name(one))])
        self.order_fields([name for name in self.fields if name not in ("reason", "outcome")])
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            LaterOutcome.NOTHING.value: _("The next re-assessment follows as long as a copy is out."),
            LaterOutcome.RECALL.value: _("Each recipient who has not stated the destruction gets a message."),
            LaterOutcome.INCIDENT.value: _("It is reported at once, with the reason as its description."),
        }

    @property
    def answers(self) -> dict[str, dict[str, Any]]:
        given = self.cleaned_data
        return {
            one.value: {"yes": given.get(one.value) == "yes", "words": given.get(words_name(one)) or ""}
            for one in Question
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for one in Question:
            if data.get(one.value) == "yes" and not data.get(words_name(one)):
                self.add_error(words_name(one), _("State it in words."))
        if not self.errors:
            outcome = LaterOutcome(data["outcome"])
            verdict = may_conclude_so(
                outcome,
                self.answers,
                self.out,
                kind=data["kind"],
                severity=data["severity"],
                unmeasured=self.unmeasured,
            )
            if not verdict:
                needs_incident = verdict.reason == LaterReason.INCIDENT_NEEDED
                self.add_error("kind" if needs_incident else "outcome", verdict.text)
        return data

    def conclusion(self) -> dict[str, Any]:
        """The arguments of ``later_conclude``."""
        given = {name: self.cleaned_data[name] for name in ("outcome", "reason", "kind", "severity")}
        return given | {"answers": self.answers}
