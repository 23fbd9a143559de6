"""What the reproduction of a source's example gives."""

from __future__ import annotations

from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """The figures as JSON, the same in ``lines`` to read, and whether they are those that the source states."""

    figures: dict[str, Any]
    lines: list[str]
    agrees: bool
