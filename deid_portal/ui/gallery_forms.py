"""A form with every kind of field, as the objective stage would ask it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class DateInput(forms.DateInput):
    """The browser's own date picker."""

    input_type = "date"


class FilterExampleForm(forms.Form):
    """What narrows the audit log."""

    person = forms.CharField(label=_("Person"), required=False)
    clause = forms.ChoiceField(
        label=_("Clause"),
        required=False,
        choices=[("", _("All clauses")), ("5.2.2", "5.2.2"), ("5.3", "5.3")],
    )


class DecisionExampleForm(forms.Form):
    """A decision whose choices are buttons."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        widget=forms.RadioSelect,
        choices=[("approve", _("Approve")), ("return", _("Return for rework"))],
    )


class ObjectiveExampleForm(forms.Form):
    """Sharing type, targets and scope of an invented project."""

    name = forms.CharField(
        label=_("Project name"),
        max_length=80,
        help_text=_("Recipients and auditors will see it. No personal data, please."),
    )
    sharing = forms.ChoiceField(
        label=_("Sharing type"),
        widget=forms.RadioSelect,
        choices=[
            ("public", _("Completely public sharing")),
            ("controlled", _("Controlled public sharing")),
            ("enclave", _("Enclave sharing")),
        ],
        help_text=_("It sets the defaults of everything below."),
    )
    threshold = forms.DecimalField(
        label=_("Risk threshold"),
        min_value=0,
        max_value=1,
        decimal_places=3,
        help_text=_("0.05 means that a stranger may be right about at most 1 person in 20."),
    )
    k = forms.IntegerField(label=_("Smallest equivalence class"), min_value=2, required=False)
    factors = forms.MultipleChoiceField(
        label=_("What the scope rests on"),
        widget=forms.CheckboxSelectMultiple,
        choices=[
            ("law", _("Laws and standards")),
            ("policy", _("Policy of the organisation")),
            ("promise", _("Promises made at collection")),
            ("use", _("Use of the data")),
        ],
    )
    owner = forms.ChoiceField(
        label=_("Executor"),
        choices=[("", _("Choose a person")), ("1", "陈思远"), ("2", "李明哲"), ("3", "赵雨桐")],
    )
    due = forms.DateField(label=_("Wanted by"), widget=DateInput, required=False)
    purpose = forms.CharField(
        label=_("Purpose"),
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
        help_text=_("What will be computed from the data, and for whom."),
    )
    source = forms.FileField(
        label=_("Source file"),
        required=False,
        help_text=_("CSV, XLSX or Parquet, up to 2 GB. It is stored encrypted."),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.parquet"}),
    )
    promise = forms.BooleanField(
        label=_("I have read the data-use notice"),
        help_text=_("De-identification changes data; the notice lists what must not be computed from it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sharing"].choice_hints = {  # type: ignore[attr-defined]
            "public": _("Anyone may copy it. High risk, strictest requirements, cannot be recalled."),
            "controlled": _("Named recipients under an agreement. Medium risk, medium requirements."),
            "enclave": _("The data never leaves the portal. Low risk, lowest requirements."),
        }
        self.fields["k"].unit = _("people")  # type: ignore[attr-defined]
