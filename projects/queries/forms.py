"""Forms of queries; they translate only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.core.drafts.forms import KeptForm
from techniques.core.validation import validated
from techniques.models.differential_privacy.question import Question

from .enums import COMPOSITION, KINDS, NEIGHBOURS, Exhaustion

WHOLE = ""


def _epsilon(label: Any) -> forms.DecimalField:
    return forms.DecimalField(label=label, min_value=0, max_digits=13, decimal_places=9)


def _reason() -> forms.CharField:
    return forms.CharField(label=_("Reason"), max_length=500, widget=forms.Textarea(attrs={"rows": 2}))


class ProposeForm(KeptForm):
    """A budget for a data set, or a part of it for a recipient."""

    draft_name = "queries.grant"

    table = forms.ChoiceField(label=_("Data set"), required=False)
    recipient = forms.ChoiceField(
        label=pgettext_lazy("budget", "For whom"),
        required=False,
        help_text=_("The first budget is for the whole data set; after that, each recipient needs a share."),
    )
    epsilon = _epsilon("ε")
    delta = forms.FloatField(label="δ", required=False, min_value=0, max_value=0.01, help_text=_("For Gaussian noise, for groups that are not stated, and for zero-concentrated counting. For the first budget only, as are the next four."))  # fmt: skip
    composition = forms.ChoiceField(label=_("How costs add up"), choices=list(COMPOSITION.items()))
    neighbours = forms.ChoiceField(label=_("What is compared"), choices=list(NEIGHBOURS.items()))
    part = forms.ChoiceField(label=_("Parts that share nobody"), required=False, help_text=_("Where each row is one person: questions about different values of this column cost as much as the dearest of them; where one person is replaced by another, as much as the two dearest."))  # fmt: skip
    exhaustion = forms.ChoiceField(label=_("When it is spent"), choices=Exhaustion.choices)
    reason = _reason()

    def __init__(
        self,
        *args: Any,
        tables: Sequence[tuple[str, str]],
        recipients: Sequence[tuple[str, str]],
        columns: Sequence[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        parts = [("", _("No parts: all questions add up")), *((one, one) for one in columns)]
        self.fields["part"].choices = parts  # type: ignore[attr-defined]
        self.fields["table"].choices = tables  # type: ignore[attr-defined]
        self.fields["recipient"].choices = [(WHOLE, _("The whole data set")), *recipients]  # type: ignore[attr-defined]


class DecideForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason of the decision"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )


class MoreForm(forms.Form):
    """A recipient asks for more."""

    table = forms.ChoiceField(label=_("Data set"), required=False)
    epsilon = _epsilon(_("ε in addition to what was granted"))
    reason = _reason()

    def __init__(self, *args: Any, tables: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].choices = tables  # type: ignore[attr-defined]


NOISE = {"laplace": _("Laplace"), "gaussian": _("Gaussian"), "exponential": _("Exponential")}
"""The engine's mechanisms, in words."""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _values(label: Any, help_text: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label, required=False, widget=forms.Textarea(attrs={"rows": 3}), help_text=help_text
    )


class QuestionForm(KeptForm):
    """A question, field by field; what does not fit together is said by the engine."""

    draft_name = "queries.question"

    table = forms.ChoiceField(label=_("Data set"), required=False)
    kind = forms.ChoiceField(label=_("What"), choices=list(KINDS.items()))
    column = forms.ChoiceField(
        label=_("Which column"),
        required=False,
        help_text=_("For a sum, mean, quantile or most frequent value."),
    )
    lower = forms.FloatField(label=_("Least value that counts"), required=False, help_text=_("Smaller values are counted as this one. Choose it from general knowledge, not from the data."))  # fmt: skip
    upper = forms.FloatField(label=_("Greatest value that counts"), required=False)
    step = forms.FloatField(label=_("Step to which values are rounded"), required=False)
    quantile = forms.FloatField(label=_("Which quantile"), required=False, help_text=_("0.5 is the median."))
    candidates = _values(_("Candidates, one per line"), _("Among which the most frequent value is sought."))
    by = forms.ChoiceField(label=_("By the groups of"), required=False)
    values = _values(
        _("Groups, one per line"), _("Without any, groups with enough rows are returned; that needs a δ.")
    )
    edges = forms.CharField(
        label=_("Or the edges of classes"), required=False, help_text=_("Numbers, separated by spaces.")
    )
    by_other = forms.ChoiceField(label=_("And of"), required=False)
    values_other = _values(_("Its groups, one per line"))
    where = forms.ChoiceField(label=_("Only rows whose value of"), required=False)
    where_values = _values(_("Is one of these, one per line"))
    rows_per_group = forms.IntegerField(label=_("Rows of a person in a group"), required=False, min_value=1)
    groups_per_person = forms.IntegerField(label=_("Groups of a person"), required=False, min_value=1)
    mechanism = forms.ChoiceField(
        label=_("Noise"), choices=[("", _("As usual for this kind")), *NOISE.items()], required=False
    )
    error = forms.FloatField(
        label=_("Error that you accept"), required=False, help_text=_("Enter either this or an ε.")
    )
    least_count = forms.IntegerField(
        label=_("For groups of this many rows"),
        required=False,
        min_value=1,
        help_text=_("For the error of a mean."),
    )
    confidence = forms.FloatField(label=_("Confidence"), required=False, help_text=_("0.95 if left empty."))
    epsilon = forms.FloatField(label="ε", required=False)
    delta = forms.FloatField(label="δ", required=False)

    def __init__(
        self, *args: Any, tables: Sequence[tuple[str, str]], columns: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].choices = tables  # type: ignore[attr-defined]
        for name in ("column", "by", "by_other", "where"):
            self.fields[name].choices = [("", "–"), *((one, one) for one in columns)]  # type: ignore[attr-defined]

    OFTEN = ("table", "kind", "column", "lower", "upper", "by", "values", "error", "epsilon")
    """What is said often; the rest stands folded away."""

    def often(self) -> list[forms.BoundField]:
        return [self[name] for name in self.OFTEN]

    def rare(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.OFTEN]

    @property
    def says_rare(self) -> bool:
        """Whether something was said, or is wrong, among what is folded away."""
        return any(one.errors or (self.is_bound and one.value() not in (None, "")) for one in self.rare())

    def question(self) -> Question:
        """The question; EngineError where it does not fit together."""
        given = self.cleaned_data
        plain_names = (
            "kind", "column", "lower", "upper", "step", "quantile", "rows_per_group", "groups_per_person", "mechanism", "error",
            "least_count", "confidence", "epsilon", "delta",
        )  # fmt: skip
        found = {name: given[name] for name in plain_names if given.get(name) not in (None, "")}
        if candidates := _lines(given["candidates"]):
            found["candidates"] = candidates
        by = [
            _dimension(given["by"], given["values"], given["edges"]),
            _dimension(given["by_other"], given["values_other"], ""),
        ]
        found["by"] = [one for one in by if one is not None]
        if given["where"]:
            found["where"] = {given["where"]: _lines(given["where_values"])}
        return validated(Question, found, "question")


def _dimension(column: str, values: str, edges: str) -> dict[str, Any] | None:
    if not column:
        return None
    found: dict[str, Any] = {"column": column}
    if lines := _lines(values):
        found["values"] = lines
    if numbers := edges.replace(",", " ").split():
        found["edges"] = numbers
    return found
