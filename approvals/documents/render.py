"""HTML template to PDF: faces embedded; no outside resource; the same bytes for the same content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from approvals.audit.anchors import Anchor

from .fonts import DRAWN, families
from .letterhead import LOGO_URL, Letterhead

LANGUAGES = ("zh-hans", "en")


@dataclass(frozen=True)
class Reference:
    """Another document, or this one, in the version record and among what is attached."""

    number: str
    title: str
    content_hash: str
    made_at: datetime


@dataclass(frozen=True)
class DocumentHead:
    """What stands on the cover of every document, in its footer and beside its contents.

    ``number`` is the document number, ``content_hash`` the hash of the content that it states,
    ``made_at`` the time of that content (not of the rendering, so that a second rendering is the same).
    ``anchor`` is the end of the audit log when the document was made, for those who keep a copy of it.
    ``versions`` are the documents of this kind up to this one, ``attachments`` those that belong to it.
    """

    number: str
    title: Any
    content_hash: str
    made_at: datetime
    subtitle: Any = ""
    project: str = ""
    anchor: Anchor | None = None
    letterhead: Letterhead = field(default_factory=Letterhead)
    versions: Sequence[Reference] = ()
    attachments: Sequence[Reference] = ()


def render_html(template: str, context: Mapping[str, Any], language: str, *, head: DocumentHead) -> str:
    """The HTML of a document in ``language``; ``template`` extends ``documents/base_document.html``."""
    if language not in LANGUAGES:
        raise ValueError(f"documents are not written in {language!r}")
    with translation.override(language):
        html = render_to_string(
            template,
            {
                **context,
                "head": head,
                "document_language": language,
                "html_lang": "zh-CN" if language == "zh-hans" else language,
                **families(language),
                "logo_url": LOGO_URL,
            },
        )
        return html.translate(DRAWN)


def render_pdf(template: str, context: Mapping[str, Any], language: str, *, head: DocumentHead) -> bytes:
    """The PDF (PDF/UA-1) of a document, deterministic for equal arguments; about a second of work.

    Raises :class:`.engine.ResourceRefused` when the template or a value in it refers to any resource.
    """
    from .engine import pdf_of

    html = render_html(template, context, language, head=head)
    identity = f"{head.number}\n{language}\n{head.content_hash}"
    digest = hashlib.sha256(identity.encode()).digest()[:16]
    return pdf_of(html, identifier=digest, logo=head.letterhead.logo)


def iso_time(moment: datetime) -> str:
    """W3C date and time in UTC, as the metadata of a PDF wants it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
