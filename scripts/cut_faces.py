"""Cut the faces of documents out of Noto CJK's collections: ``python scripts/cut_faces.py [FOLDER]``, by hand, when they change.

``FOLDER`` holds the collections (Debian's ``fonts-noto-cjk``). What a face holds says :func:`approvals.documents.fonts.wanted`; its outlines stay
as they are, without hints and without layout that documents have no use for. The faces lie in the repository and go into the wheel.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from approvals.documents.fonts import CUT, FOLDERS, PLACE, Face, wanted  # noqa: E402

FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
# Copyright, licence and the names by which a face is known.
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]
UPRIGHT = ["BASE", "VORG", "vhea", "vmtx"]
"""Tables that only text from top to bottom needs."""


def cut(face: Face, folder: Path) -> int:
    """Write one face; its size in bytes."""
    options = Options(
        layout_features=FEATURES, hinting=False, notdef_outline=True, name_IDs=NAMES, flavor="woff2"
    )
    options.drop_tables += UPRIGHT
    with TTCollection(str(folder / face.collection), lazy=True) as collection:
        (font,) = (one for one in collection.fonts if one["name"].getDebugName(6) == face.name)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=wanted(latin=face.latin))
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(face.path)
    return face.path.stat().st_size


def main(given: list[str]) -> None:
    folder = Path(given[0]) if given else next(one for one in FOLDERS if one.is_dir())
    PLACE.mkdir(exist_ok=True)
    faces = list(CUT)
    with ProcessPoolExecutor() as pool:
        for face, size in zip(faces, pool.map(cut, faces, [folder] * len(faces)), strict=True):
            print(f"{face.path.relative_to(ROOT)}: {size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
