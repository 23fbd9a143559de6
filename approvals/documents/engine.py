"""The PDF engine, fenced in. Imported only where a document is made: the web process never loads it."""

from __future__ import annotations

import logging
import threading
from functools import lru_cache
from typing import Any

# It tells each step, and its warnings quote the document; set before the import, which logs too.
for _name in ("weasyprint", "weasyprint.progress", "fontTools"):
    logging.getLogger(_name).setLevel(logging.ERROR)

from weasyprint import CSS, HTML  # noqa: E402
from weasyprint.text.fonts import FontConfiguration  # noqa: E402
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse  # noqa: E402

from .fonts import FAMILY, URL, font_bytes  # noqa: E402

# Tagged, with title and language: what a screen reader needs.
VARIANT = "pdf/ua-1"
_lock = threading.Lock()


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


def pdf_of(html: str, *, identifier: bytes) -> bytes:
    """The PDF of ``html``; ``identifier`` (16 bytes) is the file identifier that PDF wants."""
    # Pango's font map is not for several threads at once.
    with _lock:
        fonts, stylesheet = _fonts()
        pdf: bytes = HTML(string=html, url_fetcher=OnlyTheFont(), base_url=None).write_pdf(
            font_config=fonts, stylesheets=[stylesheet], pdf_variant=VARIANT, pdf_identifier=identifier
        )
        return pdf
