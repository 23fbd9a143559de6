"""The form of a comment."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST = 2000


class CommentForm(forms.Form):
    text = forms.CharField(
        label=_("Your comment"),
        help_text=_(
            "Everybody who may see the project reads it, and it stays. Paste no data about a person. Write @ and a name to call a member."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=LONGEST,
        strip=True,
    )
