"""Forms of the core: they translate and validate, and decide nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from projects.workflow import Role, Stage

from .models import Project
from .selectors import candidates


class ProjectForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Project
        fields = ("title", "summary")
        widgets = {"summary": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "title": _("Name the data, not the people in it. The title appears in the audit log."),
            "summary": _("In two or three sentences: which data, for whom, for what."),
        }


class MemberForm(forms.Form):
    user = forms.ModelChoiceField(
        label=_("Person"),
        queryset=Project.objects.none(),
        help_text=_("One person has one role in a project, for good."),
    )
    role = forms.ChoiceField(label=_("Role"), choices=[("", _("Choose")), *Role.choices])

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["user"]
        field.queryset = candidates(project)
        field.label_from_instance = lambda user: (
            f"{user} · {user.department}" if user.department else f"{user} · {user.get_post_display()}"
        )


class ProjectFilterForm(forms.Form):
    q = forms.CharField(label=_("Number or title"), required=False, max_length=80)
    stage = forms.ChoiceField(label=_("Stage"), required=False, choices=[("", _("All")), *Stage.choices])
    sort = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("", _("Newest first")), ("due", _("What is due first"))]
    )
    mine = forms.BooleanField(label=_("Only where it is my turn"), required=False)


class MoveForm(forms.Form):
    reason = forms.CharField(required=False, max_length=2000, strip=True)
    justification = forms.CharField(required=False, max_length=2000, strip=True)


class SignedForm(forms.Form):
    """What is signed: a session that was left open signs nothing."""

    secret = forms.CharField(
        label=_("Your password, or a code of your second step"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        max_length=128,
        strip=False,
    )

    def __init__(self, *args: Any, confirms: Callable[[str], bool], **kwargs: Any) -> None:
        """``confirms`` says whether a secret is that of who signs; asked once all else is in order, for a code works once."""
        super().__init__(*args, **kwargs)
        self.confirms = confirms
        self.order_fields([*(name for name in self.fields if name != "secret"), "secret"])

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        secret = found.pop("secret", "")
        if not self.errors and not self.confirms(secret):
            self.add_error("secret", _("Password or code is wrong. Nothing was signed."))
        return found


class DecisionForm(SignedForm):
    """Senior management's decision about exactly what the page shows; ``hints`` say what each choice leads to."""

    hints: ClassVar[dict[Decision, Any]] = {}

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (Decision.APPROVED, _("Approve")),
            (Decision.RETURNED, _("Return for rework")),
            (Decision.REJECTED, _("Reject for good")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_(
            "It appears in the audit log and in the document, and everybody in the project can read it."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=2000,
        strip=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["decision"]
        field.choice_hints = {decision.value: hint for decision, hint in self.hints.items()}

    def without_approval(self) -> None:
        """Take approving off the page; the service would refuse it anyway, and the page says why."""
        field: Any = self.fields["decision"]
        field.choices = [choice for choice in field.choices if choice[0] != Decision.APPROVED]
