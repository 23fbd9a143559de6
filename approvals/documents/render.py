"""HTML template to PDF: one font, embedded; no outside resource; the same bytes for the same content."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from .fonts import FAMILY, URL, font_bytes

LANGUAGES = ("zh-hans", "en")
# Tagged, with title and language: what a screen reader needs.
VARIANT = "pdf/ua-1"
_lock = threading.Lock()
# They tell each step, and their warnings quote the document.
for _name in ("weasyprint", "weasyprint.progress", "fontTools"):
    logging.getLogger(_name).setLevel(logging.ERROR)


class ResourceRefused(FatalURLFetchingError):  # type: ignore[misc]
    """A document asked for something outside itself. Nothing is fetched, and no document is made."""


class OnlyTheFont(URLFetcher):  # type: ignore[misc]
    """Serves the font of the documents and refuses every other address, files included."""

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        if url == URL:
            return URLFetcherResponse(url, font_bytes(), {"Content-Type": "font/otf"})
        raise ResourceRefused("a document may load nothing but its font")


@lru_cache(maxsize=1)
def _fonts() -> tuple[FontConfiguration, CSS]:
    """The font, loaded once a process: it is 16 MB."""
    configuration = FontConfiguration()
    face = f"@font-face {{ font-family: '{FAMILY}'; src: url('{URL}'); }}"
    return configuration, CSS(string=face, font_config=configuration, url_fetcher=OnlyTheFont())


@dataclass(frozen=True)
class DocumentHead:
    """What stands on top of every document and in its footer.

    ``number`` is the document number, ``content_hash`` the hash of the content that it states,
    ``made_at`` the time of that content (not of the rendering, so that a second rendering is the same).
    """

    number: str
    title: Any
    content_hash: str
    made_at: datetime
    subtitle: Any = ""
    project: str = ""


def render_html(template: str, context: Mapping[str, Any], language: str, *, head: DocumentHead) -> str:
    """The HTML of a document in ``language``; ``template`` extends ``documents/base_document.html``."""
    if language not in LANGUAGES:
        raise ValueError(f"documents are not written in {language!r}")
    with translation.override(language):
        return render_to_string(
            template,
            {
                **context,
                "head": head,
                "document_language": language,
                "html_lang": "zh-CN" if language == "zh-hans" else language,
                "font_family": FAMILY,
            },
        )


def render_pdf(template: str, context: Mapping[str, Any], language: str, *, head: DocumentHead) -> bytes:
    """The PDF (PDF/UA-1) of a document, deterministic for equal arguments.

    Raises :class:`ResourceRefused` when the template or a value in it refers to any resource.
    """
    html = render_html(template, context, language, head=head)
    identifier = hashlib.sha256(f"{head.number}\n{language}\n{head.content_hash}".encode()).digest()[:16]
    # Pango's font map is not for several threads at once.
    with _lock:
        fonts, stylesheet = _fonts()
        document = HTML(string=html, url_fetcher=OnlyTheFont(), base_url=None)
        pdf: bytes = document.write_pdf(
            font_config=fonts,
            stylesheets=[stylesheet],
            pdf_variant=VARIANT,
            pdf_identifier=identifier,
        )
        return pdf


def iso_time(moment: datetime) -> str:
    """W3C date and time in UTC, as the metadata of a PDF wants it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
