"""What was kept once and must stay: compared value by value, or written anew with ``GOLDEN=write``."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
WRITING = os.environ.get("GOLDEN") == "write"
SHOWN = 30
"""Differences that a failure lists before it only counts."""
_ABSENT = "(absent)"


def compare(name: str, value: Any) -> None:
    """Fail where ``value`` (JSON-ready) is not what tests/golden/``name`` holds; the message has each place."""
    path = HERE / name
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    if WRITING:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    assert path.is_file(), f"{name} was never kept"
    found = list(differences(json.loads(path.read_text(encoding="utf-8")), json.loads(text)))
    if found:
        more = [f"… and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        pytest.fail("\n".join([f"{name} is no longer what was kept:", *found[:SHOWN], *more]), pytrace=False)


def differences(kept: Any, now: Any, place: str = "") -> Iterator[str]:
    """``place: kept → now`` for each leaf that differs; lists are compared item by item, decimals to twelve digits."""
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in [*kept, *(k for k in now if k not in kept)]:
            yield from differences(
                kept.get(key, _ABSENT), now.get(key, _ABSENT), f"{place}.{key}".lstrip(".")
            )
    elif isinstance(kept, list) and isinstance(now, list):
        for number in range(max(len(kept), len(now))):
            pair = [values[number] if number < len(values) else _ABSENT for values in (kept, now)]
            yield from differences(*pair, f"{place}[{number}]")
    elif type(kept) is float and type(now) is float:
        # Processors add in other orders, as wide as their registers are, and the last digits of a sum differ.
        if not math.isclose(kept, now, rel_tol=1e-12):
            yield f"  {place}: {_short(kept)} → {_short(now)}"
    elif kept != now or type(kept) is not type(now):
        yield f"  {place}: {_short(kept)} → {_short(now)}"


def without(value: Any, *keys: str) -> Any:
    """``value`` without the fields called ``keys``, at any depth."""
    if isinstance(value, dict):
        return {key: without(one, *keys) for key, one in value.items() if key not in keys}
    if isinstance(value, list):
        return [without(one, *keys) for one in value]
    return value


def _short(value: Any) -> str:
    text = value if value is _ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
