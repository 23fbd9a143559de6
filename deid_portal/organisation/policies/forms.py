"""Forms of the policy library."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from deid_portal.accounts.models import User
from projects.core.drafts.forms import KeptForm
from projects.datasets.upload.uploading import FIELD
from projects.objective.enums import Regulation
from projects.workflow.posts import Post

from .enums import CONCERNED, PolicyKind
from .models import PolicyVersion
from .selectors import owners
from .services import Wording

LONG = 100_000
_YEAR = 365


def _day(label: Any, hint: Any = "") -> forms.DateField:
    return forms.DateField(label=label, help_text=hint, widget=forms.DateInput(attrs={"type": "date"}))


class VersionForm(KeptForm):
    """What a version says; the document is received by the upload, and only drawn here."""

    draft_name = "organisation.policy_version"
    keeps_ticks = True

    edition = forms.CharField(
        label=_("Edition"),
        max_length=60,
        required=False,
        help_text=_("As the text itself calls it, such as 2020 or its date of issue."),
    )
    text = forms.CharField(
        label=_("Text"), max_length=LONG, required=False, widget=forms.Textarea(attrs={"rows": 10})
    )
    file = forms.FileField(
        label=_("Document"), required=False, help_text=_("PDF or plain text, at most 20 MB; kept encrypted.")
    )
    effective_on = _day(_("Takes effect on"))
    review_on = _day(_("To be reviewed by"), _("On that day the owner is asked to look it through again."))
    concerns = forms.MultipleChoiceField(
        label=_("To be acknowledged by"),
        choices=[(post.value, post.label) for post in CONCERNED],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Everybody with an account of this kind is asked to read it and to say so."),
    )
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)
    assert FIELD == "file"

    def __init__(self, *args: Any, now: PolicyVersion | None = None, **kwargs: Any) -> None:
        today = timezone.localdate()
        begin: dict[str, Any] = {"effective_on": today, "review_on": today + timedelta(days=_YEAR)}
        if now is not None:
            begin |= {"edition": now.edition, "text": now.text, "concerns": now.concerns}
        super().__init__(*args, **kwargs)
        self.initial = begin

    def wording(self) -> Wording:
        """What is proposed."""
        names = ("edition", "text", "effective_on", "review_on", "concerns")
        return Wording(**{name: self.cleaned_data[name] for name in names})


class EntryForm(VersionForm):
    """A new entry with its first version."""

    draft_name = "organisation.policy"

    title = forms.CharField(label=_("Title"), max_length=120)
    kind = forms.ChoiceField(label=_("Kind"), choices=PolicyKind.choices, widget=forms.RadioSelect)
    regulation = forms.ChoiceField(
        label=_("The law or standard named in targets"),
        required=False,
        help_text=_("Projects whose target names it rest on the version that is approved then."),
    )
    every_project = forms.BooleanField(label=_("Every project rests on it"), required=False)
    owner: forms.ModelChoiceField[User] = forms.ModelChoiceField(
        label=_("Owner"), queryset=None, help_text=_("Answers for it and reviews it.")
    )
    field_order = ("title", "kind", "regulation", "every_project", "owner")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [one for one in Regulation.choices if one[0] != Regulation.OTHER.value]
        regulation, owner = self.fields["regulation"], self.fields["owner"]
        assert isinstance(regulation, forms.ChoiceField)
        assert isinstance(owner, forms.ModelChoiceField)
        regulation.choices = [("", _("None of them")), *named]
        owner.queryset = owners()

    def entry(self) -> dict[str, Any]:
        """What the entry is, beside what its version says."""
        names = ("title", "kind", "regulation", "every_project", "owner")
        return {name: self.cleaned_data[name] for name in names}


class ReviewForm(forms.Form):
    """What the owner looked at, and when next."""

    result = forms.CharField(
        label=_("What was looked at, and what came of it"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    next_on = _day(_("Next review due on"))


class OwnerForm(forms.Form):
    """Who answers for the entry from now on."""

    owner: forms.ModelChoiceField[User] = forms.ModelChoiceField(label=_("New owner"), queryset=None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["owner"]
        assert isinstance(owner, forms.ModelChoiceField)
        owner.queryset = owners()


def post_labels(posts: list[str]) -> list[str]:
    """The posts that a version concerns, in words."""
    return [str(Post(post).label) for post in posts]
