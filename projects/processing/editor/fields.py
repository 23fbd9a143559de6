"""One form field for each kind of setting that the engine's techniques have."""

from __future__ import annotations

import math
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from approvals.passages import passage
from techniques.core.fields import ParameterField
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import parse_table

from ..wording import engine_text

LONG_TEXT = 200
_SEPARATORS = re.compile(r"[\s,;，；、]+")


class NumbersField(forms.CharField):
    """Numbers in a row, separated by commas or blanks."""

    def __init__(self, *, whole: bool, **kwargs: Any) -> None:
        self.whole = whole
        super().__init__(**kwargs)

    def clean(self, value: Any) -> Any:
        parts = [part for part in _SEPARATORS.split(super().clean(value)) if part]
        try:
            numbers = [int(part) if self.whole else float(part) for part in parts]
            if not all(math.isfinite(number) for number in numbers):
                raise ValueError("no end")
        except (ValueError, OverflowError):
            raise ValidationError(
                _("Whole numbers, separated by commas.") if self.whole else _("Numbers, separated by commas.")
            ) from None
        return numbers


class LinesField(forms.CharField):
    """Texts, one per line."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), **kwargs)

    def clean(self, value: Any) -> Any:
        return [line.strip() for line in super().clean(value).splitlines() if line.strip()]


class TableField(forms.CharField):
    """Rows of a table, pasted: separated by semicolons, commas or tabs. ``width`` fixes the number of cells."""

    def __init__(self, *, width: int | None = None, **kwargs: Any) -> None:
        self.width = width
        super().__init__(
            strip=False, widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}), **kwargs
        )

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            rows = parse_table(text.encode(), str(self.label)) if text.strip() else []
        except EngineError as error:
            raise ValidationError(engine_text(error)) from None
        for number, row in enumerate(rows, start=1):
            if self.width is not None and len(row) != self.width:
                raise ValidationError(
                    _("Line %(line)s: write the value and its replacement, separated by a semicolon.")
                    % {"line": number}
                )
        return rows


def form_field(one: ParameterField) -> forms.Field:
    """The form field of one setting. Bounds are checked here for the words, and again by the engine."""
    given: dict[str, Any] = {"label": _(one.title), "help_text": _(one.help) if one.help else ""}
    required = one.required
    if one.kind == "integer":
        return forms.IntegerField(
            min_value=None if one.minimum is None else int(one.minimum),
            max_value=None if one.maximum is None else int(one.maximum),
            required=required or one.default is not None,
            **given,
        )
    if one.kind == "decimal":
        bounds: dict[str, Any] = {
            "min_value": None if one.exclusive_minimum else one.minimum,
            "max_value": one.maximum,
        }
        widget = forms.NumberInput(attrs={"step": "any"})
        return forms.FloatField(
            required=required or one.default is not None, widget=widget, **bounds, **given
        )
    if one.kind == "boolean":
        return forms.BooleanField(required=False, **given)
    if one.kind == "choice":
        choices = [(choice.value, _(choice.label)) for choice in one.choices]
        if required:
            choices.insert(0, ("", _("Choose")))
        return forms.ChoiceField(choices=choices, required=True, **given)
    if one.kind == "list" and one.item_kind == "list":
        given["help_text"] = _("One value per line: the value; what it becomes; and so on, level by level.")
        return TableField(required=required, **given)
    if one.kind == "mapping" and one.item_kind in ("integer", "decimal"):
        line = _("One per line: what it is about; the number.")
        given["help_text"] = passage((given["help_text"], line))
        return TableField(width=2, required=required, **given)
    if one.kind == "mapping":
        given["help_text"] = _("One value per line: the value; its replacement.")
        return TableField(width=2, required=required, **given)
    if one.kind == "list" and one.item_choices:
        choices = [(choice.value, _(choice.label)) for choice in one.item_choices]
        return forms.MultipleChoiceField(
            choices=choices, required=required, widget=forms.CheckboxSelectMultiple, **given
        )
    if one.kind == "list" and one.item_kind == "text":
        given["help_text"] = passage((given["help_text"], _("One per line.")))
        return LinesField(required=required, **given)
    if one.kind == "list":
        return NumbersField(whole=one.item_kind == "integer", required=required, **given)
    long = (one.max_length or 0) >= LONG_TEXT
    widget_text = forms.Textarea(attrs={"rows": 2}) if long else None
    return forms.CharField(
        required=required, max_length=one.max_length, strip=long, widget=widget_text, **given
    )
