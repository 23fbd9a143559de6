"""Forms of the metadata table: they translate between what people type and entries."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import by_reading
from projects.core.drafts.forms import KeptForm
from projects.identification.enums import ColumnRole
from techniques.core.kinds import KINDS
from techniques.identification.metadata.forms import LONGEST

from . import exchange
from .models import MetadataEntry, value_form_validate
from .services import plain_name


def _kind_choices() -> list[tuple[str, str]]:
    known = sorted(
        ((code, gettext(kind.name)) for code, kind in KINDS.items()), key=lambda pair: by_reading(pair[1])
    )
    return [("", gettext("An identifier of your own")), *known]


class EntryForm(KeptForm):
    """The five fields of the standard, the role that a match suggests, and why the table is changed."""

    draft_name = "organisation.identifier"

    kind = forms.ChoiceField(
        label=_("Kind"), required=False, help_text=_("What rules and techniques know this identifier as.")
    )
    name = forms.CharField(label=_("Identifier name"), max_length=80)
    meaning = forms.CharField(label=_("Meaning"), max_length=300)
    format = forms.CharField(label=_("Format"), max_length=300)
    data_types = forms.CharField(
        label=_("Common data types"), required=False, max_length=200, help_text=_("Separated by semicolons.")
    )
    field_names = forms.CharField(
        label=_("Common field names"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Chinese, English and pinyin names, separated by semicolons or lines."),
    )
    role = forms.ChoiceField(label=_("Suggested role"), choices=ColumnRole.choices)
    value_form = forms.CharField(
        label=_("Form of the values"),
        required=False,
        max_length=LONGEST,
        validators=[value_form_validate],
        help_text=_(
            "A rule of your own, as an RE2 expression that a whole value has to fit, such as EMP-[0-9]{6}. Where at least half of a "
            "column fits, this speaks for the role; of a direct identifier not one value may be left in a result. Empty: names alone."
        ),
    )
    reason = forms.CharField(label=_("Reason for the change"), max_length=500)

    def __init__(self, *args: Any, entry: MetadataEntry | None = None, **kwargs: Any) -> None:
        self.entry = entry
        if entry is not None:
            kwargs["initial"] = {
                "name": gettext(entry.name),
                "meaning": gettext(entry.meaning),
                "format": gettext(entry.format),
                "data_types": "; ".join(entry.data_types),
                "field_names": "; ".join(entry.field_names),
                "role": entry.role,
                "value_form": entry.value_form,
            }
        super().__init__(*args, **kwargs)
        if entry is not None:
            del self.fields["kind"]
        else:
            self.fields["kind"].choices = _kind_choices()  # type: ignore[attr-defined]

    def clean_field_names(self) -> list[str]:
        names = exchange.list_read(self.cleaned_data["field_names"])
        if not names or not all(plain_name(name) for name in names):
            raise forms.ValidationError(gettext("At least one field name with letters or digits is needed."))
        return names

    def clean_data_types(self) -> list[str]:
        return exchange.list_read(self.cleaned_data["data_types"])

    def values(self) -> dict[str, Any]:
        """The fields for the services. A text that was shipped and not touched stays translatable."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "reason"}
        if self.entry is not None:
            for name in ("name", "meaning", "format"):
                shipped = getattr(self.entry, name)
                if values[name] == gettext(shipped):
                    values[name] = shipped
        return values


class ReasonForm(forms.Form):
    """Why an identifier leaves the table, or the policy about cryptography changes."""

    reason = forms.CharField(label=_("Reason for the change"), max_length=500)


class ImportForm(forms.Form):
    """A CSV file that becomes the whole table."""

    file = forms.FileField(
        label=_("CSV file"),
        help_text=_("The whole table, with the heading of the exported file; at most 1 MB."),
    )
    reason = forms.CharField(label=_("Reason for the change"), max_length=500)

    def clean_file(self) -> bytes:
        upload = self.cleaned_data["file"]
        if upload.size > exchange.LIMIT_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 1 MB."))
        content: bytes = upload.read()
        return content
