"""The form that saves target and plan under a name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.template.defaultfilters import linebreaksbr
from django.utils.translation import gettext_lazy as _

from ... import wording
from ...enums import Part, Section
from ..sentences import as_read
from .answers import PREPARATION, Answers, text_key, texts_picked

_QUESTIONS: dict[Part, dict[str, Any]] = {
    Part.SCOPE: {name: question.label for name, question in wording.SCOPE.items()},
    Part.FACTORS: {name: question.label for name, question in wording.FACTORS.items()},
    Part.TARGETS: {name: question.label for name, question in wording.RISK.items()},
    Part.PLAN: {one.value: one.label for one in Section} | {PREPARATION: wording.PREPARATION_EXPLAINED.label},
}


class SaveForm(forms.Form):
    """The name, for whom, and which of the texts go along: none until somebody picks it, as it may speak of the project."""

    name = forms.CharField(label=_("Name of the template"), max_length=120)
    texts = forms.MultipleChoiceField(
        label=_("Texts that go along"),
        help_text=_(
            "Choices, numbers and the steps of preparation always go along. Pick the texts that hold for other projects too; who begins "
            "with the template reads them, whether or not they may look into this project."
        ),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    of_organisation = forms.BooleanField(
        label=_("For every planning manager here, not just for me"), required=False
    )

    def __init__(self, *args: Any, answers: Answers | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = answers.texts() if answers is not None else []
        field: Any = self.fields["texts"]
        field.choices = [
            (text_key(part, name), f"{part.label} · {_QUESTIONS[part][name]}") for part, name, _said in found
        ]
        field.choice_hints = {text_key(part, name): linebreaksbr(as_read(said)) for part, name, said in found}
        if not found:
            del self.fields["texts"]

    @property
    def picked(self) -> set[tuple[Part, str]]:
        """(step, field) of the texts that go along."""
        return texts_picked(self.cleaned_data.get("texts", []))
