"""The filters of the audit log."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .anchors import Anchor, anchor_read
from .selectors import action_choices, project_choices


class AnchorForm(forms.Form):
    """The end of the log as a document printed it; both fields or neither."""

    expect_seq = forms.IntegerField(
        label=_("Number of the row"), required=False, min_value=1, max_value=2**62
    )
    expect_hash = forms.CharField(
        label=_("Its hash"),
        required=False,
        max_length=160,
        help_text=_("As printed on a plan or a report; the first 16 signs are enough."),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
    )

    anchor: Anchor | None = None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors:
            try:
                self.anchor = anchor_read(given.get("expect_seq"), given.get("expect_hash", ""))
            except ValueError as error:
                raise forms.ValidationError(str(error)) from None
        return given


class LongSelect(forms.Select):
    """The same element, put together at once: Django renders each of its options by a template, and these are hundreds."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = self.get_context(name, value, attrs)["widget"]
        options = format_html_join(
            "\n",
            "<option{}>{}</option>",
            (
                (_attributes({"value": one["value"], **one["attrs"]}), one["label"])
                for _group, several, _index in context["optgroups"]
                for one in several
            ),
        )
        return format_html(
            "<select{}>\n{}\n</select>", _attributes({"name": name, **context["attrs"]}), options
        )


def _attributes(given: dict[str, Any]) -> SafeString:
    return format_html_join(
        "",
        "{}",
        (
            (format_html(" {}", name) if value is True else format_html(' {}="{}"', name, value),)
            for name, value in given.items()
            if value is not False and value is not None
        ),
    )


class LogFilterForm(forms.Form):
    person = forms.CharField(label=_("Who"), required=False, max_length=80)
    action = forms.ChoiceField(label=_("What happened"), required=False, widget=LongSelect)
    project_id = forms.ChoiceField(label=_("Project"), required=False, widget=LongSelect)
    since = forms.DateField(
        label=pgettext_lazy("a date", "From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everything = [("", _("All"))]
        for name, choices in (("action", action_choices()), ("project_id", project_choices())):
            field: Any = self.fields[name]
            field.choices = [*everything, *choices]
