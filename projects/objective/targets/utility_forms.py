"""A form for any kind of utility target, made from its model: one more kind in the engine needs no form here."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic.fields import FieldInfo

from .reading import utility_read
from .utility import DISCRIMINATOR, KindChoice, kind_choices, kind_model


class ColumnsField(forms.CharField):
    """Column names, one a line: a name may itself hold a comma."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 3}), **kwargs)

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()]

    def validate(self, value: Any) -> None:
        if self.required and not value:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        return None


def field_for(name: str, info: FieldInfo, sense: str) -> forms.Field:
    """The form field of one parameter. Bounds stay with the model, which reads the answer."""
    if name == "bound":
        field: forms.Field = forms.FloatField(
            label=_("At least (share)") if sense == "at_least" else _("At most (share)"),
            help_text=_("Between 0 and 1: 0.9 is 90 out of 100."),
            widget=forms.NumberInput(attrs={"step": "any", "min": "0", "max": "1"}),
        )
        return field
    if get_origin(info.annotation) is tuple:
        return ColumnsField(
            label=_("Columns"),
            help_text=_("Two names, one a line.")
            if Ellipsis not in get_args(info.annotation)
            else _("One name per line; leave empty for all columns."),
            required=info.is_required(),
        )
    return forms.CharField(
        label=_("Column") if name == "column" else name, max_length=200, required=info.is_required()
    )


class UtilityTargetForm(forms.Form):
    """One target of a known kind; ``target`` is the typed one after a successful ``is_valid``."""

    target: Any = None

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        model: Any = kind_model(kind)
        names = sorted(set(model.model_fields) - {DISCRIMINATOR}, key=lambda name: (name == "bound", name))
        for name in names:
            self.fields[name] = field_for(name, model.model_fields[name], model.sense)

    @property
    def choice(self) -> KindChoice:
        return next(c for c in kind_choices() if c.kind == self.kind)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            (self.target,) = utility_read([{**data, DISCRIMINATOR: self.kind}])
        except ValidationError as error:
            for place, messages in error.message_dict.items():
                name = place.partition(".")[2]
                self.add_error(name if name in self.fields else None, messages)
        return data
