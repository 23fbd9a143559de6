"""Forms about posts and records: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.texts import is_sha256

from .enums import ROLES, RecordKind
from .models import PostCatalogue


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class CatalogueForm(KeptForm):
    """Three fields a role."""

    draft_name = "records.catalogue"

    def __init__(self, *args: Any, now: PostCatalogue | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for role in ROLES:
            row = now.posts.get(role.value, {}) if now else {}
            name = {"role": role.label}
            for part, label in (
                ("technical", _("%(role)s: technical requirements")),
                ("confidentiality", _("%(role)s: confidentiality requirements")),
            ):
                self.fields[f"{role.value}_{part}"] = forms.CharField(
                    label=label % name,
                    widget=forms.Textarea(attrs={"rows": 2}),
                    max_length=1000,
                    initial=row.get(part, ""),
                )
            self.fields[f"{role.value}_asks"] = forms.MultipleChoiceField(
                label=_("%(role)s: required on record before the role is given") % name,
                choices=RecordKind.choices,
                widget=forms.CheckboxSelectMultiple,
                required=False,
                initial=row.get("asks", []),
            )
        self.fields["reason"] = forms.CharField(label=_("Reason for this version"), max_length=500)

    @property
    def posts(self) -> dict[str, dict[str, Any]]:
        """What is proposed."""
        given = self.cleaned_data
        parts = ("technical", "confidentiality", "asks")
        return {role.value: {part: given[f"{role.value}_{part}"] for part in parts} for role in ROLES}


class RecordForm(forms.Form):
    kind = forms.ChoiceField(label=_("Kind"), choices=RecordKind.choices)
    title = forms.CharField(
        label=_("What it was"),
        max_length=120,
        help_text=_("The agreement, the course with its test, or who carried out the background check."),
    )
    done_on = forms.DateField(label=_("On"), widget=_day())
    valid_until = forms.DateField(
        label=_("Valid until and including"),
        required=False,
        help_text=_("Leave empty if it has no end date."),
        widget=_day(),
    )
    passed = forms.TypedChoiceField(
        label=_("Outcome"),
        choices=[("yes", _("Passed, or signed")), ("no", _("Not passed"))],
        coerce=lambda said: said == "yes",
        widget=forms.RadioSelect,
    )
    kept_at = forms.CharField(label=_("Where the paper lies"), max_length=200)
    document_hash = forms.CharField(
        label=_("SHA-256 of the scan"),
        required=False,
        max_length=64,
        validators=[is_sha256],
    )
