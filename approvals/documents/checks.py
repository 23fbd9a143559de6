"""Whether what documents are set in is installed."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Warning, register

from .fonts import missing


@register()
def faces_installed(**_kwargs: Any) -> list[CheckMessage]:
    """A warning where a collection is missing: documents are made all the same, in one plain face."""
    absent = missing()
    if not absent:
        return []
    hint = "Install fonts-noto-cjk (Debian, Ubuntu), noto-fonts-cjk (Arch) or google-noto-serif-cjk-fonts (Fedora)."
    return [
        Warning(f"The faces of documents are missing: {', '.join(absent)}.", hint=hint, id="documents.W001")
    ]
