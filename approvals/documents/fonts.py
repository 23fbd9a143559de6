"""The faces of every document, embedded as subsets, so that a PDF looks the same everywhere.

Text is set in Noto Serif CJK SC (a Song face), its bold is the face of titles, headings are in bold Noto Sans CJK SC (a Hei face), charts and
margins in its regular. All are under the SIL Open Font License 1.1. The regular sans comes with a Python package, the others with
Debian's ``fonts-noto-cjk``; where those are not installed the regular sans stands in, and a system check says so.

The files are collections, and a renderer that is given one takes its first face, which has Japanese glyph forms. So each face is
cut out of it, once a process. The simplified Chinese faces set quotation marks as wide as a Chinese character; Latin text therefore has the Latin
letters and marks of the Korean faces, which are the same design with marks of Latin width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

FOLDERS = [
    Path("/usr/share/fonts/opentype/noto"),
    Path("/usr/share/fonts/noto-cjk"),
    Path("/usr/share/fonts/google-noto-serif-cjk-fonts"),
    Path("/usr/share/fonts/google-noto-sans-cjk-fonts"),
]
"""Where Debian and Ubuntu, Arch and Fedora lay the collections."""

SERIF, SANS = "Portal Serif CJK", "Portal Sans CJK"
LATIN_SERIF, LATIN_SANS = "Portal Serif Latin", "Portal Sans Latin"
_LATIN = [*range(0x20, 0x250), *range(0x2000, 0x2070), *range(0x20A0, 0x20C0), *range(0x2190, 0x2200)]
_PACKAGED = "NotoSansCJK-Regular.ttc"


@dataclass(frozen=True)
class Face:
    """One face: ``collection`` is the file that holds it, ``name`` its PostScript name there; ``latin``: Latin text alone."""

    family: str
    weight: int
    collection: str
    name: str
    latin: bool = False

    @property
    def url(self) -> str:
        return f"portal-font:{self.name}"


FACES = {
    face.url: face
    for face in (
        Face(SERIF, 400, "NotoSerifCJK-Regular.ttc", "NotoSerifCJKsc-Regular"),
        Face(SERIF, 700, "NotoSerifCJK-Bold.ttc", "NotoSerifCJKsc-Bold"),
        Face(SANS, 400, _PACKAGED, "NotoSansCJKsc-Regular"),
        Face(SANS, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKsc-Bold"),
        Face(LATIN_SERIF, 400, "NotoSerifCJK-Regular.ttc", "NotoSerifCJKkr-Regular", latin=True),
        Face(LATIN_SERIF, 700, "NotoSerifCJK-Bold.ttc", "NotoSerifCJKkr-Bold", latin=True),
        Face(LATIN_SANS, 400, _PACKAGED, "NotoSansCJKkr-Regular", latin=True),
        Face(LATIN_SANS, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKkr-Bold", latin=True),
    )
}


def families(language: str) -> tuple[str, str]:
    """The CSS families of text and of headings in ``language``."""
    if language == "en":
        return f"'{LATIN_SERIF}', '{SERIF}', serif", f"'{LATIN_SANS}', '{SANS}', sans-serif"
    return f"'{SERIF}', serif", f"'{SANS}', sans-serif"


def collection_path(name: str) -> Path | None:
    """Where a collection lies on this machine; None where it is not installed."""
    if name == _PACKAGED:
        from noto_cjk_sans_otc import FONT_PATH  # type: ignore[import-untyped]

        return Path(FONT_PATH)
    return next((path for folder in FOLDERS if (path := folder / name).is_file()), None)


def missing() -> list[str]:
    """The collections that are not installed."""
    return sorted({f.collection for f in FACES.values() if collection_path(f.collection) is None})


@lru_cache(maxsize=len(FACES))
def font_bytes(url: str) -> bytes:
    """The face as an OpenType file (16 to 24 MB, and about one second the first time; Latin alone is small).

    Raises ``LookupError`` when the collection does not hold it.
    """
    from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
    from fontTools.ttLib import TTCollection  # type: ignore[import-untyped]

    face = FACES[url]
    path = collection_path(face.collection)
    if path is None:
        packaged = "NotoSansCJKkr-Regular" if face.latin else "NotoSansCJKsc-Regular"
        return font_bytes(f"portal-font:{packaged}")
    with TTCollection(str(path), lazy=True) as collection:
        for font in collection.fonts:
            if font["name"].getDebugName(6) == face.name:
                if face.latin:
                    cut = Subsetter(Options(layout_features=["*"], notdef_outline=True))
                    cut.populate(unicodes=_LATIN)
                    cut.subset(font)
                out = BytesIO()
                font.save(out)
                return out.getvalue()
    raise LookupError(face.name)
