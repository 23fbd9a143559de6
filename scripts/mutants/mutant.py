"""A mutant, as it is drawn and as it is judged, and where both find the product."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "var/mutants"


class Mutant(NamedTuple):
    path: str
    line: int
    kind: str
    code: str
    """The changed line."""
    source: str
