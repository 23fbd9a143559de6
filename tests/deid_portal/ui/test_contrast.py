"""The colours of texts stand out from what they are printed on by 7:1 (WCAG 2, level AAA), by light and in the dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css"
ENOUGH = 7.0
# Each text with what it may stand on.
PAIRS = [(text, ground) for text in ("ink", "ink-soft", "ink-mute") for ground in ("paper", "mist")]
PAIRS += [
    (tone, ground)
    for tone in ("ok", "warn", "fail", "neutral")
    for ground in ("paper", "mist", f"{tone}-tint")
]


def colours(scheme: str) -> dict[str, str]:
    """The colours by name: those of the first rule, and in the dark what the second gives anew."""
    parts = TOKENS.read_text().split("prefers-color-scheme: dark")
    found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", parts[0]))
    return found | (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", parts[1])) if scheme == "dark" else {})


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_measure_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out(scheme):
    found = colours(scheme)
    weak = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in PAIRS}
    assert {pair: value for pair, value in weak.items() if value < ENOUGH} == {}
