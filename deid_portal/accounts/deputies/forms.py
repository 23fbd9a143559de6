"""Forms about deputies: they translate and validate, and decide nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.governance.person import by_reading
from projects.workflow.posts import AppointedPost


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class DeputyForm(forms.Form):
    """Somebody who acts in another's stead as the holder of a post, from one day to another."""

    post = forms.ChoiceField(label=_("Post"))
    deputy = forms.ChoiceField(
        label=_("Deputy"),
        help_text=_("Holds the same post, and has no other role in these projects."),
    )
    starts_on = forms.DateField(label=pgettext_lazy("a date", "From"), widget=_day())
    ends_on = forms.DateField(label=_("Until and including"), widget=_day())
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=500)

    def __init__(
        self, *args: Any, posts: Iterable[AppointedPost], people: Iterable[Any], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.posts = [*posts]
        self.people = {str(one.pk): one for one in people}
        post, deputy = (self.fields[name] for name in ("post", "deputy"))
        post.choices = [(one.value, one.label) for one in self.posts]  # type: ignore[attr-defined]
        rows = [(key, str(one)) for key, one in self.people.items()]
        deputy.choices = [("", _("Choose")), *sorted(rows, key=lambda row: by_reading(row[1]))]  # type: ignore[attr-defined]
        self.fields["starts_on"].initial = timezone.localdate

    @property
    def chosen(self) -> dict[str, Any]:
        found = self.cleaned_data
        return found | {
            "post": AppointedPost(found["post"]),
            "deputy": self.people[found["deputy"]],
        }
