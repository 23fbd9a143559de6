"""Forms of reversal; they translate only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .contents import MOST_VALUES, UPLOAD_LIMIT, lines_of
from .selectors import Reversible


class AskForm(forms.Form):
    """Which column of which run, which values, and why."""

    what = forms.ChoiceField(
        label=gettext_lazy("Column of a run"),
        help_text=gettext_lazy("Only columns that can be reversed are listed."),
    )
    values = forms.CharField(
        label=gettext_lazy("Values of the result, one per line"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a text file with one value per line"),
        required=False,
        help_text=gettext_lazy(
            "It is stored encrypted and destroyed when the request has been answered or refused."
        ),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why these values are needed"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "The second person bases the decision on it, and it is in the audit log: do not include values here."
        ),
    )

    def __init__(self, *args: Any, columns: Sequence[Reversible], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.columns = {one.key: one for one in columns}
        self.fields["what"].choices = [  # type: ignore[attr-defined]
            (
                one.key,
                _("Run %(number)d · %(column)s · %(way)s")
                % {"number": one.run.number, "column": one.place, "way": one.way.label},
            )
            for one in columns
        ]
        self.fields["values"].help_text = _(
            "At most %(most)d values. Of secret shares: the numbers of the rows, from 1."
        ) % {"most": MOST_VALUES}

    def clean_file(self) -> list[str]:
        upload = self.cleaned_data.get("file")
        if upload is None:
            return []
        if upload.size > UPLOAD_LIMIT:
            raise ValidationError(_("The file is too large for a list of values."))
        content = upload.read()
        for encoding in ("utf-8-sig", "gb18030"):
            try:
                return lines_of(str(content, encoding))
            except UnicodeDecodeError:
                continue
        raise ValidationError(_("The file is not text in UTF-8 or GB 18030."))

    def chosen(self) -> Reversible:
        return self.columns[self.cleaned_data["what"]]

    def all_values(self) -> list[str]:
        return [*lines_of(self.cleaned_data["values"]), *(self.cleaned_data.get("file") or [])]


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason of the decision"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )
