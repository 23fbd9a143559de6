"""Forms about accounts: they translate and validate, and decide nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from projects.core.forms import PersonChoiceField
from projects.workflow.posts import LIMITED, Post

from .confirmation import password_is_right
from .models import User


class SignInForm(AuthenticationForm):
    """User name and password; an account whose time is over does not sign in."""

    error_messages = {
        "invalid_login": _(
            "User name or password is wrong. After five failures the account is locked for a while."
        ),
        "inactive": _(
            "User name or password is wrong. After five failures the account is locked for a while."
        ),
    }

    def confirm_login_allowed(self, user: Person) -> None:
        super().confirm_login_allowed(user)
        if user.access_ended:
            text = _("The period for which this account was given access is over.")
            raise ValidationError(text, code="ended")


class SecondStepForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        help_text=_("Six digits from your authenticator app, or one of your recovery codes."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
        ),
    )


class SetupCodeForm(forms.Form):
    """The codes will sign documents: whoever finds a session open sets none up. Who came by a provider has signed in there anew
    instead of giving a password."""

    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    code = forms.CharField(
        label=_("Code from the app"),
        max_length=10,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, by_provider: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if by_provider:
            del self.fields["password"]


class OwnPasswordForm(PasswordChangeForm):
    """Old and new password, with the labels of the portal."""

    field_order = ["old_password", "new_password1", "new_password2"]

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(request.user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        old = str(self.cleaned_data["old_password"])
        if not password_is_right(self.request, self.user, old):
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return old


class SwitchOffForm(forms.Form):
    """Switching the second step off needs both secrets again."""

    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )


class ProfileForm(forms.Form):
    email = forms.EmailField(label=_("E-mail"), required=False)
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, widget=forms.RadioSelect)


class TokenForm(forms.Form):
    """A token is made with the secrets of a sign-in: whoever finds a session open makes none."""

    name = forms.CharField(label=_("What it is for"), max_length=60)
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("365 days"))],
        initial=90,
    )
    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, two_step: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not two_step:
            del self.fields["code"]


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    """What an administrator may change."""

    class Meta:
        model = User
        fields = ("full_name", "department", "email", "access_until")
        widgets = {"access_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}


class AccountCreateForm(AccountForm):
    post = forms.ChoiceField(
        label=_("Post"),
        choices=Post.choices,
        help_text=_(
            "Permanent: a person who changes post gets a new account. Roles within a project are given in the project."
        ),
    )

    class Meta(AccountForm.Meta):
        fields = (  # type: ignore[assignment]
            "username", "full_name", "department", "email", "post", "access_until",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("post") in LIMITED and not data.get("access_until"):
            is_tester = data["post"] == Post.TESTER
            needed = _("An invited tester needs an end date.")
            self.add_error(
                "access_until", needed if is_tester else _("An external assessor needs an end date.")
            )
        return data


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=500)


class PersonForm(ReasonForm):
    """Another account of the same natural person."""

    other = PersonChoiceField(
        label=_("The other account"), queryset=User.objects.none(), empty_label=_("Choose")
    )
    field_order = ["other", "reason"]

    def __init__(self, *args: Any, account: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["other"]
        known = User.objects.exclude(pk=account.pk)
        if account.person_id is not None:
            known = known.exclude(person=account.person_id)
        field.queryset = known
        field.label_from_instance = lambda user: f"{user} · {user.username} · {user.get_post_display()}"


class AccountFilterForm(forms.Form):
    q = forms.CharField(label=_("Name or department"), required=False, max_length=80)
    post = forms.ChoiceField(label=_("Post"), required=False, choices=[("", _("All")), *Post.choices])
