"""One text that is written in several ways: full-width, with Chinese numerals, or with signs that nobody sees between.

Plain Python, so that a process that reads no tables knows the same forms as the scan of the data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

PLAIN_FORMS = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys((0x3000, 0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F), 0x20)
    | dict.fromkeys((*range(0x2010, 0x2016), 0x2212), 0x2D)
)
"""Full-width forms, wide or unbreakable spaces and dashes to ASCII, one character for one, so that places in the text stay."""
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Characters without width that may stand between any two others."""
NUMERALS = {**dict(zip("〇一二三四五六七八九", "0123456789", strict=True)), "零": "0", "○": "0"}
LEAST_RUN = 7
"""Chinese numerals in a row that are read as digits."""
RUN_OF_NUMERALS = f"[{''.join(NUMERALS)}]{{{LEAST_RUN},}}"


def normalise(text: str) -> str:
    """``text`` with full-width characters, wide spaces and runs of Chinese numerals as ASCII; of the same length."""
    if text.isascii():
        return text
    plain = text.translate(PLAIN_FORMS)
    return re.sub(RUN_OF_NUMERALS, lambda run: "".join(NUMERALS[c] for c in run.group()), plain)


def visible(text: str) -> tuple[str, Sequence[int]]:
    """``text`` without characters that have no width, and the place in ``text`` of each character that is left."""
    if re.search(f"[{INVISIBLE}]", text) is None:
        return text, range(len(text))
    places = [place for place, character in enumerate(text) if character not in INVISIBLE]
    return "".join(text[place] for place in places), places
