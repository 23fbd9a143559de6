"""Signing in and out, the second step, and a person's own account."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_otp import login as otp_login

from deid_portal.access import public
from deid_portal.failures import database_required

from . import forms, rules, services, tokens, two_step
from .confirmation import password_is_right, person_is_right
from .lockout import browser_remember
from .oidc import provider
from .signals import sign_in_record


def _within(request: HttpRequest, target: str) -> bool:
    """Whether ``target`` is an address of this portal; a bare word would be taken for the name of a page."""
    return "/" in target and url_has_allowed_host_and_scheme(
        target, {request.get_host()}, require_https=request.is_secure()
    )


def _next(request: HttpRequest) -> str:
    """Where to go on to: only within this portal."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    return target if _within(request, target) else reverse(settings.LOGIN_REDIRECT_URL)


def _with_language(response: HttpResponse, language: str) -> HttpResponse:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


class SignInView(LoginView):
    """Anybody: user name and password."""

    # Without PUT, which Django takes for a POST.
    http_method_names = ["get", "head", "post", "options"]

    template_name = "accounts/sign_in.html"
    authentication_form = forms.SignInForm
    extra_context = {"by_provider": provider.is_set_up}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Nobody is invited to sign in while nobody can."""
        database_required()
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user = form.get_user()
        response = super().form_valid(form)
        # A password is looked at by the portal's own rules, whatever the provider said in this session before.
        self.request.session.pop(provider.SESSION, None)
        browser_remember(self.request, response, user.get_username())
        chosen = self.request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        if chosen and chosen in dict(settings.LANGUAGES):
            services.language_remember(user, chosen)
        else:
            _with_language(response, user.language)
        return response


sign_in = public(SignInView.as_view())


@require_POST
@public
def sign_out(request: HttpRequest) -> HttpResponse:
    """Anybody: end the session."""
    kept = request.session.get(provider.SESSION, {})
    logout(request)
    messages.success(request, _("You have signed out."))
    return redirect(provider.sign_out_address(kept) or settings.LOGOUT_REDIRECT_URL)


@require_POST
@public
def language_set(request: HttpRequest) -> HttpResponse:
    """Anybody: choose the language; it is kept with the account of who is signed in."""
    target = request.POST.get("next", "")
    response = redirect(target if _within(request, target) else "/")
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES) and check_for_language(language):
        _with_language(response, language)
        if request.user.is_authenticated:
            services.language_remember(request.user, language)
    return response


@require_http_methods(["GET", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """A person who gave their password and has two-step sign-in."""
    user = request.user
    verified = user.is_verified() or provider.second_step_given(request)  # type: ignore[attr-defined]  # given by django_otp
    if verified or not two_step.has_second_step(user):
        return redirect(_next(request))
    form = forms.SecondStepForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        device = two_step.second_step(user, form.cleaned_data["code"])
        if device is not None:
            request.session.cycle_key()
            otp_login(request, device)
            sign_in_record(user, two_step=True)
            return redirect(_next(request))
        form.add_error("code", _("This code is wrong, was used before, or came too soon after a wrong one."))
    return render(request, "accounts/second_step.html", {"form": form, "next": _next(request)})


@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: their own account."""
    user = request.user
    form = forms.ProfileForm(request.POST or None, initial={"email": user.email, "language": user.language})
    if request.method == "POST" and form.is_valid():
        services.profile_edit(user, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return _with_language(redirect("accounts:profile"), form.cleaned_data["language"])
    context = {"form": form, "two_step": two_step.has_second_step(user), "tokens": user.api_tokens.all()}
    return render(request, "accounts/profile.html", context)


@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: their own password."""
    user = request.user
    form = forms.OwnPasswordForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.password_change(user, password=form.cleaned_data["new_password1"])
        # Keeps this session and ends every other one of this account.
        update_session_auth_hash(request, user)
        messages.success(
            request,
            _("The password has been changed. Your other sessions and all your API tokens have ended."),
        )
        return redirect(_next(request))
    return render(request, "accounts/password.html", {"form": form, "next": _next(request)})


@require_http_methods(["GET", "POST"])
def two_step_setup(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: switch two-step sign-in on."""
    user = request.user
    if two_step.has_second_step(user):
        return redirect("accounts:two_step_manage")
    by_provider = provider.came_by_provider(request)
    if by_provider and not provider.is_fresh(request):
        return redirect(
            reverse("accounts:oidc_start")
            + f"?{urlencode({'again': 1, 'next': reverse('accounts:two_step')})}"
        )
    if request.method == "POST" and "start" in request.POST:
        two_step.setup_start(user)
        return redirect("accounts:two_step")
    device = two_step.setup_pending(user)
    form = forms.SetupCodeForm(request.POST if "code" in request.POST else None, by_provider=by_provider)
    if device is not None and request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        if not by_provider and not password_is_right(request, user, given["password"]):
            form.add_error("password", _("The password is wrong."))
        elif (done := two_step.setup_confirm(user, given["code"])) is not None:
            confirmed, codes = done
            otp_login(request, confirmed)
            request.session.cycle_key()
            return render(request, "accounts/recovery_codes.html", {"codes": codes})
        else:
            form.add_error(
                "code", _("This code does not match. Check the clock on your phone and try the next code.")
            )
    context: dict[str, Any] = {
        "form": form,
        "device": device,
        "demanded": rules.must_have_second_step(user),
    }
    if device is not None:
        context |= {"qr": two_step.qr_of(device), "secret": two_step.secret_of(device)}
    return render(request, "accounts/two_step.html", context)


@require_http_methods(["GET", "POST"])
def two_step_manage(request: HttpRequest) -> HttpResponse:
    """Every signed-in person with two-step sign-in: recovery codes, switching off."""
    user = request.user
    if not two_step.has_second_step(user):
        return redirect("accounts:two_step")
    form = forms.SwitchOffForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if person_is_right(request, user, form.cleaned_data["password"], form.cleaned_data["code"]):
            if "renew" in request.POST:
                return render(request, "accounts/recovery_codes.html", {"codes": two_step.codes_renew(user)})
            two_step.switch_off(user)
            messages.success(request, _("Two-step sign-in is off."))
            return redirect("accounts:profile")
        form.add_error(None, _("Password or code is wrong."))
    context = {"form": form, "codes_left": two_step.codes_left(user)}
    return render(request, "accounts/two_step_manage.html", context)


@require_http_methods(["GET", "POST"])
def token_create(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: a token of their own for programs; shown once."""
    user = request.user
    form = forms.TokenForm(request.POST or None, two_step=two_step.has_second_step(user))
    if request.method == "POST" and form.is_valid():
        made = dict(form.cleaned_data)
        if person_is_right(request, user, made.pop("password"), made.pop("code", "")):
            token, key = tokens.token_create(user, **made)
            return render(request, "accounts/token_made.html", {"token": token, "key": key})
        form.add_error(None, _("Password or code is wrong."))
    return render(request, "accounts/token_form.html", {"form": form})


@require_POST
def token_revoke(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """Every signed-in person: revoke a token of their own."""
    user = request.user
    tokens.token_revoke(user, token_id)
    messages.success(request, _("The token has been revoked."))
    return redirect("accounts:profile")
