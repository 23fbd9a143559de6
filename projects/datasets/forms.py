"""Forms of the data page: they translate, they decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .upload.uploading import FIELD

ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("gb18030", "GB18030 (GBK, GB2312)"),
    ("utf-16-le", "UTF-16 LE"),
    ("utf-16-be", "UTF-16 BE"),
)
DELIMITERS = (
    (",", _("Comma (,)")),
    (";", _("Semicolon (;)")),
    ("\t", _("Tab")),
    ("|", _("Vertical bar (|)")),
)
QUOTES = (('"', _('Quotation mark "')), ("'", _("Apostrophe '")), ("none", _("None")))


class UploadForm(forms.Form):
    """Only draws the field; the file itself is received by ``uploading``."""

    file = forms.FileField(
        label=_("Data file"),
        help_text=_("CSV, XLSX or Parquet. The file is encrypted as it arrives."),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.parquet"}),
    )

    assert FIELD == "file"


class FormatForm(forms.Form):
    """How the file is written; only the fields that its kind has."""

    encoding = forms.ChoiceField(label=_("Character encoding"), choices=ENCODINGS)
    delimiter = forms.ChoiceField(label=_("Delimiter"), choices=DELIMITERS)
    quote = forms.ChoiceField(label=_("Quotation"), choices=QUOTES)
    sheet = forms.CharField(label=_("Sheet"), max_length=100, required=False)
    header = forms.BooleanField(label=_("The first row holds the column names"), required=False)

    def __init__(self, *args: Any, found: dict[str, Any], **kwargs: Any) -> None:
        self.found = found or {
            "kind": "csv",
            "encoding": "utf-8",
            "delimiter": ",",
            "quote": '"',
            "header": True,
        }
        initial = {**self.found, "quote": self.found.get("quote") or "none"}
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        fields = {"csv": {"encoding", "delimiter", "quote", "header"}, "xlsx": {"sheet", "header"}}
        for name in set(self.fields) - fields.get(self.found.get("kind", "csv"), set()):
            del self.fields[name]

    def chosen(self) -> dict[str, Any]:
        """The detected format with what the person changed."""
        values = {key: value for key, value in self.found.items() if key not in ("confidence", "evidence")}
        changed = dict(self.cleaned_data)
        if "quote" in changed:
            changed["quote"] = "" if changed["quote"] == "none" else changed["quote"]
        if "sheet" in changed:
            changed["sheet"] = changed["sheet"] or None
        if values.get("encoding") != changed.get("encoding", values.get("encoding")):
            values["bom"] = False
        return {**values, **changed}


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Why you need to see unmasked values"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The reason, your name and the number of rows go into the audit log."),
    )
