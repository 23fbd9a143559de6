"""A logo as it is taken in: written anew from what was understood, so that nothing else of the file is kept."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from approvals.documents.letterhead import Logo
from projects.core.numbers import count

LIMIT_BYTES = 300 * 1024
LIMIT_PIXELS = 4_000_000
LIMIT_ELEMENTS = 2_000
LIMIT_DEPTH = 20
_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "linearGradient", "radialGradient", "stop",
}  # fmt: skip
_ATTRIBUTES = {
    "id", "viewBox", "width", "height", "preserveAspectRatio", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r",
    "rx", "ry", "fx", "fy", "points", "transform", "fill", "fill-rule", "fill-opacity", "stroke", "stroke-width",
    "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-opacity", "opacity",
    "offset", "stop-color", "stop-opacity", "gradientUnits", "gradientTransform",
}  # fmt: skip
# Every part is drawn once. What draws others again (clips, masks, patterns, <use>) doubles with each level that it is nested,
# and a gradient that repeats may do so without end: a few kilobytes would keep every document from being made.
_OWN_PART = re.compile(r"url\(#[\w-]+\)")
_FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg"}
# What a telephone writes: a JPEG with further pictures behind the first.
_SEVERAL = "MPO"


def logo_read(content: bytes) -> Logo:
    """A PNG or JPEG picture, or an SVG drawing of shapes, without anything that it refers to or that could run.

    Raises ``ValidationError`` with a sentence for the reader.
    """
    if len(content) > LIMIT_BYTES:
        raise ValidationError(_("The logo is larger than 300 kB."))
    if content.startswith((b"\x89PNG", b"\xff\xd8")):
        return _picture(content)
    return _drawing(content)


def _picture(content: bytes) -> Logo:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(content), formats=list(_FORMATS)) as picture:
            kind, (width, height) = str(picture.format), picture.size
            kind = "JPEG" if kind == _SEVERAL else kind
            if width * height > LIMIT_PIXELS:
                raise ValidationError(_("The logo has more than 4 million pixels."))
            plain = picture.convert("RGBA" if kind == "PNG" else "RGB")
            # Pixels alone: no comments, places or thumbnails.
            plain.info = {}
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise ValidationError(_("The logo cannot be read as PNG, JPEG or SVG."))
    out = BytesIO()
    plain.save(out, kind)
    return Logo(out.getvalue(), _FORMATS[kind])


def _drawing(content: bytes) -> Logo:
    try:
        text = content.decode("utf-8-sig")
        # Entities are declared there alone; without them a short text cannot become a long one.
        if "<!" in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL):
            raise ValueError("a declaration")
        root = ElementTree.fromstring(text)  # noqa: S314 - no declarations, and a bounded size
    except (ValueError, ElementTree.ParseError):
        raise ValidationError(_("The logo cannot be read as PNG, JPEG or SVG."))
    if root.tag != f"{{{_SVG}}}svg" or not (
        root.get("viewBox") or (root.get("width") and root.get("height"))
    ):
        raise ValidationError(_("The logo cannot be read as PNG, JPEG or SVG."))
    _simple(root)
    ElementTree.register_namespace("", _SVG)
    return Logo(ElementTree.tostring(_cleaned(root), encoding="utf-8"), "image/svg+xml")


def _simple(root: ElementTree.Element) -> None:
    """Raises ``ValidationError`` for a drawing of too many parts, or of parts that are nested too deeply."""
    level, found = [root], 0
    for _depth in range(LIMIT_DEPTH):
        found += len(level)
        level = [child for one in level for child in one]
    if level or found > LIMIT_ELEMENTS:
        text = _("The drawing has more than %(parts)s parts or nests them in more than %(levels)s levels.")
        raise ValidationError(text % {"parts": count(LIMIT_ELEMENTS), "levels": LIMIT_DEPTH})


def _cleaned(element: ElementTree.Element) -> ElementTree.Element:
    """The element with what may stay, and its children likewise."""
    kept = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES and _harmless(value)}
    out = ElementTree.Element(element.tag, kept)
    out.text = element.text
    for child in element:
        namespace, _brace, name = str(child.tag).rpartition("}")
        if namespace == f"{{{_SVG}" and name in _ELEMENTS:
            out.append(_cleaned(child))
    return out


def _harmless(value: str) -> bool:
    """Whether a value is a number, a path or a colour; of what it may refer to, only parts of the drawing itself."""
    return not re.search(
        r"[a-z-]+:|url|image|expression|script|@|\\", _OWN_PART.sub("", value), re.IGNORECASE
    )
