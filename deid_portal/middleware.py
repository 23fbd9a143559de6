"""What holds for every request: signed in unless the view says otherwise, private, refusals explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from approvals.governance.verdict import Refused
from approvals.request_cache import caching_reads
from deid_portal.api.errors import UNSTORABLE
from projects.datasets.upload.uploading import STATUS_OF
from techniques.core.messages import EngineError, filled

Handler = Callable[[HttpRequest], HttpResponse]
# What a browser says of a request that a page of somebody else's made it send.
FROM_ELSEWHERE = frozenset({"cross-site", "same-site"})
TEXTS = ("text/html", "application/json", "application/vnd.oai.openapi")


class CompressedTextsMiddleware(GZipMiddleware):
    """Pages and the API's answers travel compressed, files as they are.

    The size of a compressed page tells a secret in it to whoever can have the page asked for again and again, with
    guesses in its address, and sees how long the answers are (BREACH). An answer to a request that another site has
    caused (``Sec-Fetch-Site``, which browsers send over TLS) is left as it is; beyond that Django adds noise to the
    length, and masks the CSRF token anew in each answer.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.headers.get("Content-Type", "").startswith(TEXTS):
            return response
        patch_vary_headers(response, ("Sec-Fetch-Site",))
        if request.headers.get("Sec-Fetch-Site") in FROM_ELSEWHERE:
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


class SignInRequiredMiddleware:
    """Default deny: a view is for signed-in people unless marked with :func:`deid_portal.access.public`.

    The API answers for itself (401 instead of a redirect).
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        is_open = getattr(view, "is_public", False) or (match is not None and "api" in match.namespaces)
        if is_open or request.user.is_authenticated:
            return None
        if request.headers.get("HX-Request"):
            # A fragment cannot hold the sign-in page: let the browser go there.
            response = HttpResponse(status=204)
            response["HX-Redirect"] = reverse(settings.LOGIN_URL)
            return response
        # What was posted is lost; going back to the address that took it would answer 405.
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/")


class StayingMiddleware:
    """An act sent by the script that renews a page where it stands (``static/js/renewal.js``).

    It says in ``X-Stays`` which page it stands on. An act that leads back to it is answered as ever; of any other the address is
    named in ``X-Location`` and the browser goes there itself, so that the messages of the act are shown there and not lost.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        page = request.headers.get("X-Stays")
        location = response.headers.get("Location", "")
        if page is not None and location and urlsplit(location).path != page:
            response.status_code = 204
            response["X-Location"] = location
            del response["Location"]
        return response


class ReadCacheMiddleware:
    """A request that only reads asks each question once (:mod:`approvals.request_cache`)."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        with caching_reads():
            return self.get_response(request)


class PrivateResponsesMiddleware:
    """Nothing that a signed-in person sees may stay in a cache."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store, private"
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class RefusalMiddleware:
    """Turn a refusal into a page that says why, and a hidden object into "not found"."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            return render(request, "errors/refused.html", {"verdict": exception.verdict}, status=403)
        if isinstance(exception, EngineError):
            text = (
                filled(_(exception.message), exception.params) if exception.params else _(exception.message)
            )
            shown = {"text": text, "code": exception.code}
            return render(request, "errors/bad_input.html", shown, status=STATUS_OF.get(exception.code, 422))
        if isinstance(exception, DataError):
            context = {"text": _(UNSTORABLE), "code": "unstorable"}
            return render(request, "errors/bad_input.html", context, status=422)
        if isinstance(exception, ObjectDoesNotExist):
            raise Http404 from None
        return None
