"""To the provider and back."""

from __future__ import annotations

import time

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from deid_portal.access import public

from . import provider

BACKEND = "deid_portal.accounts.backends.AccountBackend"
_NEXT, _SINCE = "oidc_next", "oidc_since"


@require_safe
@public
def start(request: HttpRequest) -> HttpResponse:
    """Anybody: to the organisation's own sign-in; ``again`` asks for the secrets anew."""
    if not provider.is_set_up():
        raise Http404
    again = "again" in request.GET
    try:
        answer = provider.lead_there(request, again=again)
    except provider.NotSignedIn:
        return _not_signed_in(request)
    request.session[_NEXT] = request.GET.get("next", "")
    request.session[_SINCE] = time.time() if again else 0.0
    return answer


@require_safe
@public
def back(request: HttpRequest) -> HttpResponse:
    """Who comes back from the provider: signed in where an account of that name may."""
    if not provider.is_set_up():
        raise Http404
    target, since = request.session.pop(_NEXT, ""), request.session.pop(_SINCE, 0.0)
    try:
        said = provider.said_of(request, not_before=since)
        account = provider.account_of(said)
    except provider.NotSignedIn:
        return _not_signed_in(request)
    # Read by the receiver that writes the sign-in down.
    request.by_provider = said  # type: ignore[attr-defined]
    login(request, account, backend=BACKEND)
    request.session[provider.SESSION] = provider.session_of(said)
    inside = "/" in target and url_has_allowed_host_and_scheme(
        target, {request.get_host()}, require_https=request.is_secure()
    )
    return redirect(target if inside else reverse(settings.LOGIN_REDIRECT_URL))


def _not_signed_in(request: HttpRequest) -> HttpResponse:
    messages.error(
        request,
        _(
            "Your organisation's sign-in did not lead to an account here. Try again, or ask an administrator of the portal."
        ),
    )
    return redirect("accounts:sign_in")
