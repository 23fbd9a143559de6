"""Whether what documents are set in is there."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, Info, register

from .fonts import absent, broken


@register()
def faces_installed(**_kwargs: Any) -> list[CheckMessage]:
    """An error where a face of the product is gone; a note where rare characters are drawn in the regular sans."""
    found: list[CheckMessage] = []
    if lost := broken():
        hint = "They belong to the portal: install it again."
        found.append(
            Error(f"Faces of documents are gone: {', '.join(lost)}.", hint=hint, id="documents.E001")
        )
    if missing := absent():
        text = (
            f"Characters beyond GB 2312 are drawn in the regular sans: {', '.join(missing)} is not installed."
        )
        hint = "Install fonts-noto-cjk (Debian, Ubuntu), noto-fonts-cjk (Arch) or google-noto-serif-cjk-fonts (Fedora)."
        found.append(Info(text, hint=hint, id="documents.I001"))
    return found
