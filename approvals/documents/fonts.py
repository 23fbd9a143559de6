"""The one font of every document: Noto Sans CJK SC, embedded, so that a PDF looks the same everywhere.

The font package ships a collection of ten faces, and a renderer that is given the collection takes the
first, which has Japanese glyph forms. So the simplified Chinese face is cut out of it, once a process.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

FAMILY = "Portal Sans CJK"
URL = "portal-font:sans-cjk-sc"
_FACE = "NotoSansCJKsc-Regular"


@lru_cache(maxsize=1)
def font_bytes() -> bytes:
    """The simplified Chinese face as an OpenType file (about 16 MB; about one second the first time).

    Raises ``LookupError`` when the collection does not hold it.
    """
    from fontTools.ttLib import TTCollection  # type: ignore[import-untyped]
    from noto_cjk_sans_otc import FONT_PATH  # type: ignore[import-untyped]

    with TTCollection(str(FONT_PATH), lazy=True) as collection:
        for font in collection.fonts:
            if font["name"].getDebugName(6) == _FACE:
                out = BytesIO()
                font.save(out)
                return out.getvalue()
    raise LookupError(_FACE)
