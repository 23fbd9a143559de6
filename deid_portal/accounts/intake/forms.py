"""The form of a table of people."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext, gettext_lazy

from deid_portal.organisation.exchange import LIMIT_BYTES


class TableForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Table of people"),
        help_text=gettext_lazy(
            "CSV in UTF-8, UTF-16 or GB18030, or XLSX (its first sheet); at most 200 people and 1 MB. Nothing is made before you "
            "have seen what it would do."
        ),
    )

    def clean_file(self) -> bytes:
        upload = self.cleaned_data["file"]
        if upload.size > LIMIT_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 1 MB."))
        content: bytes = upload.read()
        return content
