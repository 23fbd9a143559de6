"""The form of the letterhead."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.documents.letterhead import Logo, Mark

from ..models import LetterheadVersion
from .logo import logo_read


class LetterheadForm(forms.Form):
    """Name, logo and mark of secrecy; without a new logo the current one stays, unless it is taken off."""

    name = forms.CharField(label=_("Name of the organisation"), max_length=60)
    name_en = forms.CharField(
        label=_("Name in English"),
        max_length=100,
        required=False,
        help_text=_("Used on English documents; if left empty, the name above is used."),
    )
    mark = forms.ChoiceField(
        label=_("Confidentiality marking"),
        choices=Mark.choices,
        required=False,
        help_text=_(
            "Appears on every document. Anything marked as a state secret must not be kept in this portal."
        ),
    )
    logo = forms.FileField(
        label=_("Logo"), required=False, help_text=_("PNG, JPEG or SVG, at most 300 kB and 4 million pixels.")
    )
    without_logo = forms.BooleanField(label=_("Remove the logo"), required=False)

    def __init__(self, *args: Any, current: LetterheadVersion | None = None, **kwargs: Any) -> None:
        if current is not None:
            kwargs.setdefault(
                "initial", {"name": current.name, "name_en": current.name_en, "mark": current.mark}
            )
        super().__init__(*args, **kwargs)
        self.current = current
        if current is None or current.picture is None:
            del self.fields["without_logo"]

    def clean_logo(self) -> Logo | None:
        upload = self.cleaned_data["logo"]
        return logo_read(upload.read()) if upload else None

    def letterhead(self) -> dict[str, Any]:
        """What :func:`.versions.letterhead_set` takes."""
        data = self.cleaned_data
        kept = self.current.picture if self.current and not data.get("without_logo") else None
        return {
            "name": data["name"],
            "name_en": data["name_en"],
            "mark": data["mark"],
            "logo": data["logo"] or kept,
        }
