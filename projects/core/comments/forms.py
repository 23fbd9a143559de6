"""The form of a comment."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm

LONGEST = 2000


class CommentForm(KeptForm):
    draft_name = "core.comment"

    text = forms.CharField(
        label=_("Your comment"),
        help_text=_(
            "Everyone who may see the project can read it, and it cannot be deleted. Do not include personal data. Type @ and a name to notify a member."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=LONGEST,
        strip=True,
    )
