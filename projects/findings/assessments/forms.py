"""The form with which an assessor keeps a document."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class DocumentForm(forms.Form):
    """Only draws the field, which is called as :data:`projects.datasets.upload.uploading.FIELD` says."""

    file = forms.FileField(
        label=_("Document of the outside body"),
        help_text=_("PDF, PNG or JPEG, at most 20 MB. It is encrypted as it arrives."),
        widget=forms.ClearableFileInput(attrs={"accept": ".pdf,.png,.jpg,.jpeg"}),
    )
