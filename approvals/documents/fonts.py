"""The faces of every document, embedded as subsets, so that a PDF looks the same everywhere.

Text is set in Noto Serif CJK SC (a Song face), its bold is the face of titles, headings are in bold Noto Sans CJK SC (a Hei face), charts and
margins in its regular. All are under the SIL Open Font License 1.1. The regular sans comes whole with a Python package. The others lie beside this
module, cut to what texts are written with (``scripts/cut_faces.py``). A character beyond that comes from the whole face where the system has it,
and otherwise from the regular sans.

The simplified Chinese faces set quotation marks as wide as a Chinese character; Latin text therefore has the Latin letters and marks of the
Korean faces, which are the same design with marks of Latin width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path

FOLDERS = [
    Path("/usr/share/fonts/opentype/noto"),
    Path("/usr/share/fonts/noto-cjk"),
    Path("/usr/share/fonts/google-noto-serif-cjk-fonts"),
    Path("/usr/share/fonts/google-noto-sans-cjk-fonts"),
]
"""Where Debian and Ubuntu, Arch and Fedora lay the collections."""
PLACE = Path(__file__).with_name("faces")

SERIF, SANS, PLAIN = "Portal Serif CJK", "Portal Sans CJK", "Portal Plain CJK"
"""Text, headings, and what stands in margins and charts; the last has the regular sans, which holds every character."""
LATIN_SERIF, LATIN_SANS = "Portal Serif Latin", "Portal Sans Latin"
WHOLE_SERIF, WHOLE_SANS = "Portal Serif CJK Whole", "Portal Sans CJK Whole"
"""Families of the system's whole faces, for what is beyond those that are cut."""
_LATIN = [*range(0x20, 0x250), *range(0x2000, 0x2070), *range(0x20A0, 0x20C0), *range(0x2190, 0x2200)]
# Of Latin, punctuation, currency, letterlike, arrows, mathematics, enclosed numbers, CJK punctuation, full width.
_BLOCKS = [
    (0x20, 0x7F), (0xA0, 0x100), (0x2000, 0x2070), (0x20A0, 0x20C0), (0x2100, 0x2150), (0x2190, 0x2300), (0x2460, 0x2500),
    (0x25A0, 0x2600), (0x2700, 0x27C0), (0x3000, 0x3040), (0xFF00, 0xFFF0),
]  # fmt: skip
_REGULAR = "NotoSansCJK-Regular.ttc"


@dataclass(frozen=True)
class Face:
    """One face: ``collection`` is the file that holds it whole, ``name`` its PostScript name there; ``latin``: Latin text alone."""

    family: str
    weight: int
    collection: str
    name: str
    latin: bool = False

    @property
    def url(self) -> str:
        return f"portal-font:{self.family.replace(' ', '-')}-{self.weight}"

    @property
    def path(self) -> Path:
        """Where it lies, if it is cut."""
        return PLACE / f"{self.name}.woff2"


CUT = (
    Face(SERIF, 400, "NotoSerifCJK-Regular.ttc", "NotoSerifCJKsc-Regular"),
    Face(SERIF, 700, "NotoSerifCJK-Bold.ttc", "NotoSerifCJKsc-Bold"),
    Face(SANS, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKsc-Bold"),
    Face(LATIN_SERIF, 400, "NotoSerifCJK-Regular.ttc", "NotoSerifCJKkr-Regular", latin=True),
    Face(LATIN_SERIF, 700, "NotoSerifCJK-Bold.ttc", "NotoSerifCJKkr-Bold", latin=True),
    Face(LATIN_SANS, 400, _REGULAR, "NotoSansCJKkr-Regular", latin=True),
    Face(LATIN_SANS, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKkr-Bold", latin=True),
)
MARGINS = (
    Face(PLAIN, 400, _REGULAR, "NotoSansCJKsc-Regular"),
    Face(PLAIN, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKsc-Bold"),
)
"""In a family apart from headings: a renderer takes what a bold face lacks from the regular of its own family first."""
WHOLE = (
    Face(WHOLE_SERIF, 400, "NotoSerifCJK-Regular.ttc", "NotoSerifCJKsc-Regular"),
    Face(WHOLE_SERIF, 700, "NotoSerifCJK-Bold.ttc", "NotoSerifCJKsc-Bold"),
    Face(WHOLE_SANS, 700, "NotoSansCJK-Bold.ttc", "NotoSansCJKsc-Bold"),
)
_CUT = {face.name for face in CUT}
FACES = {face.url: face for face in (*CUT, *MARGINS, *WHOLE)}


def wanted(*, latin: bool) -> set[int]:
    """The characters that a face is cut to: for Chinese those of GB 2312 and the signs that texts use, as far as the face has them."""
    if latin:
        return set(_LATIN)
    found = {code for first, end in _BLOCKS for code in range(first, end)}
    pairs = product(range(0xA1, 0xF8), range(0xA1, 0xFF))
    # Each by itself: behind a pair that stands for nothing, those that follow would be read from their second half.
    found.update(ord(sign) for pair in pairs if (sign := bytes(pair).decode("gb2312", errors="ignore")))
    return found


DRAWN = str.maketrans({sign: f"_{digit}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")})
"""Signs of formulas that no face of Noto CJK has, as they are written beside those that have no sign: r_1 like r_m."""


def families(language: str) -> dict[str, str]:
    """The CSS families of text, headings and margins in ``language``, as templates call them."""
    serif, sans = (f"'{LATIN_SERIF}', ", f"'{LATIN_SANS}', ") if language == "en" else ("", "")
    return {
        "text_family": f"{serif}'{SERIF}', '{WHOLE_SERIF}', '{PLAIN}', serif",
        "heading_family": f"{sans}'{SANS}', '{WHOLE_SANS}', '{PLAIN}', sans-serif",
        "margin_family": f"{sans}'{PLAIN}', sans-serif",
    }


def collection_path(name: str) -> Path | None:
    """Where a collection lies on this machine; None where it is not installed."""
    if name == _REGULAR:
        from noto_cjk_sans_otc import FONT_PATH  # type: ignore[import-untyped]

        return Path(FONT_PATH)
    return next((path for folder in FOLDERS if (path := folder / name).is_file()), None)


def absent() -> list[str]:
    """The collections of whole faces that are not installed."""
    return sorted({face.collection for face in WHOLE if collection_path(face.collection) is None})


def broken() -> list[str]:
    """The faces of this package that are not there."""
    return sorted(face.path.name for face in CUT if not face.path.is_file())


def faces_for(text: str) -> tuple[Face, ...]:
    """What a document that holds ``text`` is set in: the whole faces only where it goes beyond those that are cut."""
    if covered().issuperset(map(ord, text)):
        return (*CUT, *MARGINS)
    return (*CUT, *MARGINS, *(face for face in WHOLE if collection_path(face.collection) is not None))


@lru_cache(maxsize=1)
def covered() -> frozenset[int]:
    """The characters that every Chinese face that is cut holds, and what is no character on paper."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    held: Iterable[set[int]] = (
        set(TTFont(BytesIO(font_bytes(face.url)), lazy=True).getBestCmap()) for face in CUT if not face.latin
    )
    return frozenset(set.intersection(*held) | set(map(ord, "\n\r\t")))


@lru_cache(maxsize=len(FACES))
def font_bytes(url: str) -> bytes:
    """The face as an OpenType file: 4 MB, or 16 to 24 MB for a whole one; Latin alone is small.

    Raises ``LookupError`` when the collection does not hold it.
    """
    face = FACES[url]
    return _unpacked(face.path) if face.name in _CUT and face not in WHOLE else _taken_out(face)


def _unpacked(path: Path) -> bytes:
    from fontTools.ttLib import TTFont

    font, out = TTFont(path, lazy=True, recalcTimestamp=False), BytesIO()
    font.flavor = None
    font.save(out, reorderTables=None)
    return out.getvalue()


def _taken_out(face: Face) -> bytes:
    """One face of a collection: a renderer that is given the whole takes its first, which has Japanese glyph forms."""
    from fontTools.ttLib import TTCollection

    path = collection_path(face.collection)
    if path is None:
        raise LookupError(face.name)
    with TTCollection(str(path), lazy=True) as collection:
        for font in collection.fonts:
            if font["name"].getDebugName(6) == face.name:
                out = BytesIO()
                font.save(out)
                return out.getvalue()
    raise LookupError(face.name)
