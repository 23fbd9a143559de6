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

from .fonts import FACES, Face, faces_for, font_bytes  # noqa: E402
from .letterhead import LOGO_URL, Logo  # noqa: E402

# Tagged, with title and language: what a screen reader needs.
VARIANT = "pdf/ua-1"
_lock = threading.Lock()


class ResourceRefused(FatalURLFetchingError):  # type: ignore[misc]
    """A document asked for something outside itself. Nothing is fetched, and no document is made."""


class OnlyItsOwn(URLFetcher):  # type: ignore[misc]
    """Serves the faces of the documents and the logo that the document was given, and refuses every other address, files included."""

    def __init__(self, logo: Logo | None = None) -> None:
        super().__init__()
        self.logo = logo

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        if url in FACES:
            return URLFetcherResponse(url, font_bytes(url), {"Content-Type": "font/otf"})
        if url == LOGO_URL and self.logo is not None:
            return URLFetcherResponse(url, self.logo.content, {"Content-Type": self.logo.media_type})
        raise ResourceRefused("a document may load nothing but its fonts and its logo")


@lru_cache(maxsize=2)
def _fonts(faces: tuple[Face, ...]) -> tuple[FontConfiguration, CSS]:
    """The faces, loaded once a process: some 30 MB, and with the whole ones some 100 MB."""
    configuration = FontConfiguration()
    rules = "".join(
        f"@font-face {{ font-family: '{face.family}'; font-weight: {face.weight}; src: url('{face.url}'); }}"
        for face in faces
    )
    return configuration, CSS(string=rules, font_config=configuration, url_fetcher=OnlyItsOwn())


def pdf_of(html: str, *, identifier: bytes, logo: Logo | None = None) -> bytes:
    """The PDF of ``html``; ``identifier`` (16 bytes) is the file identifier that PDF wants."""
    # Pango's font map is not for several threads at once.
    with _lock:
        fonts, stylesheet = _fonts(faces_for(html))
        pdf: bytes = HTML(string=html, url_fetcher=OnlyItsOwn(logo), base_url=None).write_pdf(
            font_config=fonts, stylesheets=[stylesheet], pdf_variant=VARIANT, pdf_identifier=identifier
        )
        return pdf
