"""The page of a publication and its files, for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from approvals.governance.verdict import Refused
from deid_portal.access import public
from projects.datasets.store.responses import CONTENT_TYPES, FALLBACK, file_response
from projects.releases.deliveries.publications.presentation import content_of, other_versions
from projects.releases.deliveries.publications.selectors import published_get
from projects.releases.deliveries.publications.services import availability_now, publication_open
from projects.releases.enums import Availability
from projects.releases.models import Publication

from .rates import is_too_often


@public
@require_safe
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Everybody who knows the address: what was published, or that it is not handed out any more."""
    if is_too_often(request):
        return render(request, "published/too_often.html", status=429)
    found = published_get(token)
    availability = availability_now(found)
    if availability is not Availability.UP:
        return _down(request, found, availability)
    newer, older = other_versions(found)
    context = content_of(found) | {"newer": newer, "older": older}
    return render(request, "published/page.html", context)


@public
@require_safe
def download(request: HttpRequest, token: str, file: int) -> HttpResponseBase:
    """Everybody who knows the address, while the publication is up: one of its files."""
    if is_too_often(request):
        return render(request, "published/too_often.html", status=429)
    found = published_get(token)
    availability = availability_now(found)
    if availability is not Availability.UP:
        return _down(request, found, availability)
    try:
        return file_answer(found, file)
    except Refused:
        # What stopped it concerns those who run the portal; here it is not handed out, and that is all.
        return _down(request, found, Availability.SUSPENDED)


def file_answer(found: Publication, file: int) -> HttpResponseBase:
    """A file with its name and length; refused where it may not be handed out."""
    pieces = publication_open(found, file)
    sent = found.release.files[file]
    name = sent["file_name"]
    content_type = CONTENT_TYPES.get(name.rsplit(".", 1)[-1], FALLBACK)
    return file_response(pieces, name=name, content_type=content_type, size=sent["size"])


def _down(request: HttpRequest, found: Publication, availability: Availability) -> HttpResponse:
    newer, _older = other_versions(found)
    context = {"publication": found, "availability": availability, "newer": newer}
    return render(request, "published/down.html", context, status=410)
