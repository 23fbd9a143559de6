"""What an account still owes before it reaches anything: the second step, or a password of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.access import WORKSPACE, is_out_of_reach

from .backends import came_by_directory
from .confirmation import signer_is_right
from .oidc.provider import came_by_provider, second_step_given
from .rules import must_have_second_step
from .two_step import has_second_step

Handler = Callable[[HttpRequest], HttpResponse]
ALWAYS = frozenset({"accounts:sign_out", "set_language"})
SETS_UP = frozenset({"accounts:two_step", "accounts:oidc_start", "accounts:oidc_back"})


class AccountGateMiddleware:
    """Neither a page nor the API (by session) is reached before the sign-in is complete.

    Tokens are a credential of their own and pass: the API's authentication checks their account.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Who signs is asked for their secret again; pages of projects do not know the accounts.
        request.confirms = partial(signer_is_right, request)  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        user = request.user
        if not user.is_authenticated:
            return None
        name = request.resolver_match.view_name if request.resolver_match else ""
        if user.access_ended:
            logout(request)
            messages.error(request, _("The period for which this account was given access is over."))
            return _answer(request, "accounts:sign_in", "access_ended", _("Access has ended."))
        verified = user.is_verified() or second_step_given(request)  # type: ignore[attr-defined]  # given by django_otp
        if not verified and _owes_second_step(user):
            request.sign_in_unfinished = True  # type: ignore[attr-defined]
            if name in ALWAYS or name == "accounts:second_step":
                return None
            text = _("The second step is missing.")
            return _answer(request, "accounts:second_step", "second_step_needed", text)
        # Who came by the organisation's provider or directory has not used the one-time password, and need not have got it.
        by_organisation = came_by_provider(request) or came_by_directory(request)
        if user.must_change_password and not by_organisation:
            request.sign_in_unfinished = True  # type: ignore[attr-defined]
            if name in ALWAYS or name == "accounts:password":
                return None
            text = _("Choose a password of your own first.")
            return _answer(request, "accounts:password", "password_change_needed", text)
        if not verified and must_have_second_step(user):
            request.sign_in_unfinished = True  # type: ignore[attr-defined]
            if name in ALWAYS or name in SETS_UP:
                return None
            text = _("Your post requires two-step sign-in. Set it up first.")
            return _answer(request, "accounts:two_step", "second_step_demanded", text)
        return _closed(request) if is_out_of_reach(user, request.resolver_match) else None


def _closed(request: HttpRequest) -> HttpResponseBase:
    """To an invited tester an address does not exist; from the first page they are led to their own."""
    match = request.resolver_match
    if match is not None and "api" in match.namespaces:
        return JsonResponse({"code": "not_found", "reason": _("Not found.")}, status=404)
    if match is not None and match.view_name == "core:home" and request.method == "GET":
        return redirect(WORKSPACE)
    raise Http404


def _owes_second_step(user: Person) -> bool:
    """Came along with the person of the request, unless this very request signed them in."""
    known: bool | None = getattr(user, "second_step_on", None)
    return has_second_step(user) if known is None else known


def _answer(request: HttpRequest, page: str, code: str, reason: str) -> HttpResponseBase:
    match = request.resolver_match
    if match is not None and "api" in match.namespaces:
        return JsonResponse({"code": code, "reason": reason}, status=403)
    if request.headers.get("HX-Request"):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = reverse(page)
        return response
    query = {"next": request.get_full_path()} if request.method == "GET" else {}
    return redirect(reverse(page) + (f"?{urlencode(query)}" if query else ""))
