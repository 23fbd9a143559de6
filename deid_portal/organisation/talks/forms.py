"""Forms of the record of talks: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.person import Person
from deid_portal.accounts.models import User
from projects.core.drafts.forms import KeptForm
from projects.core.models import Project
from projects.core.selectors import visible_projects
from projects.core.texts import is_sha256
from projects.workflow.posts import Post

from ..policies.models import Policy
from ..policies.selectors import owners
from .enums import CounterpartKind
from .services import ToDo

LONG = 10_000


def _day(label: Any, *, required: bool = True) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=required, widget=widget)


class FollowUpForm(KeptForm):
    """What somebody is to do after a talk."""

    draft_name = "organisation.talk_follow_up"

    what = forms.CharField(label=_("What is to be done"), max_length=500)
    owner: forms.ModelChoiceField[User] = forms.ModelChoiceField(
        label=_("Owner"), queryset=None, help_text=_("Has it on the home page and may read this talk.")
    )
    due_on = _day(_("Due on"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["owner"]
        assert isinstance(owner, forms.ModelChoiceField)
        # As the rule has it (rules.may_have_to_do).
        owner.queryset = owners().exclude(post=Post.AUDITOR)

    def to_do(self) -> ToDo:
        return ToDo(**{name: self.cleaned_data[name] for name in ("what", "owner", "due_on")})


class TalkForm(FollowUpForm):
    """A talk that took place, and the first thing that is to be done after it, if there is one."""

    draft_name = "organisation.talk"

    kind = forms.ChoiceField(
        label=_("Counterpart is"), choices=CounterpartKind.choices, widget=forms.RadioSelect
    )
    counterpart = forms.CharField(
        label=_("Counterpart"),
        max_length=120,
        help_text=_("Stands in the audit log: name the body, not a person."),
    )
    held_on = _day(pgettext_lazy("a date", "Day"))
    people: forms.ModelMultipleChoiceField[User] = forms.ModelMultipleChoiceField(
        label=_("Who took part from our side"),
        queryset=None,
        help_text=_("Several are chosen with Ctrl or Cmd."),
    )
    topic = forms.CharField(
        label=_("Subject of the talk"), max_length=120, help_text=_("Stands in the audit log.")
    )
    outcome = forms.CharField(
        label=_("What was said and agreed"),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Stands in no log. Write no data of single persons here."),
    )
    projects: forms.ModelMultipleChoiceField[Project] = forms.ModelMultipleChoiceField(
        label=_("Projects that it concerns"), queryset=None, required=False
    )
    policy: forms.ModelChoiceField[Policy] = forms.ModelChoiceField(
        label=_("Entry of the policy library that it concerns"), queryset=None, required=False
    )
    kept_at = forms.CharField(label=_("Where the document lies"), max_length=200, required=False)
    document_hash = forms.CharField(
        label=_("SHA-256 of the scan"),
        required=False,
        max_length=64,
        validators=[is_sha256],
    )
    field_order = (
        "kind", "counterpart", "held_on", "people", "topic", "outcome", "projects", "policy", "kept_at", "document_hash",
    )  # fmt: skip

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {"held_on": timezone.localdate(), "people": [by.pk]}
        querysets = {
            "people": owners(),
            "projects": visible_projects(by).order_by("-number"),
            "policy": Policy.objects.order_by("title"),
        }
        for name, queryset in querysets.items():
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = queryset
        for name in ("what", "owner", "due_on"):
            self.fields[name].required = False
        self.fields["what"].label = _("What is to be done after it")
        self.fields["what"].help_text = _("Leave the three fields empty where nothing follows from it.")

    def clean(self) -> dict[str, Any]:
        """A follow-up has all of its parts, or there is none."""
        data = super().clean() or {}
        parts = ("what", "owner", "due_on")
        if any(data.get(name) for name in parts):
            for name in parts:
                if not data.get(name) and name not in self.errors:
                    self.add_error(name, _("A follow-up needs what is to be done, its owner and its day."))
        return data

    @property
    def recorded(self) -> dict[str, Any]:
        """What the service is given."""
        own = {name: said for name, said in self.cleaned_data.items() if name in self.field_order}
        return own | {"follow_up": self.to_do() if self.cleaned_data["what"] else None}


class CorrectionForm(KeptForm):
    """What is right where the record is wrong."""

    draft_name = "organisation.talk_correction"

    text = forms.CharField(
        label=_("What is right"), max_length=LONG, widget=forms.Textarea(attrs={"rows": 4})
    )
    reason = forms.CharField(
        label=_("Reason for the correction"), max_length=500, help_text=_("Stands in the audit log.")
    )


class ClosingForm(forms.Form):
    """What came of a follow-up."""

    result = forms.CharField(
        label=_("What came of it"), max_length=LONG, widget=forms.Textarea(attrs={"rows": 3})
    )
