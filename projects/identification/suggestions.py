"""The suggestion per column out of look-up and rules; kept apart so that its grounds can be tested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from techniques.messages import gettext_noop as _

from .reports import STRONG

_HALF = 0.5
_WHY_LOOKUP = _("the name is in the metadata table")
_WHY_WHOLE = _("%(share)s%% of the values are written like it")
_WHY_INSIDE = _("it stands inside the text of %(rows)s rows")
_WHY_CHECKED = _("%(rows)s rows pass the check digit or have an unmistakable form")
_WHY_KEY = _("it sets nearly every row apart")
_WHY_AGAINST = _("the name alone suggests otherwise")
_KEYS = ("row_number", "unique_key", "unique_value", "record_key")

Grounds = list[tuple[str, dict[str, Any]]]


def suggestion(match: Mapping[str, Any] | None, scan: Mapping[str, Any]) -> dict[str, Any] | None:
    """Role, kind, confidence (0…1) and grounds, or None when nothing speaks for any role.

    What the values prove outweighs what a name promises: a direct identifier found in the values
    stands before the look-up; then the look-up, surer where the rules found the same; then what
    most values look like.
    """
    findings = [f for f in scan["findings"] if f["confidence"] > 0]
    direct = [f for f in findings if f["role"] == "direct_identifier" and f["confidence"] >= STRONG]
    if direct:
        return _from_finding(max(direct, key=lambda f: f["confidence"]), match)
    if match is not None:
        agreeing = [f for f in findings if f["kind"] == match["kind"] and f["rate"] >= _HALF]
        grounds: Grounds = [(_WHY_LOOKUP, {})]
        confidence = match["confidence"]
        if agreeing:
            grounds += _grounds(agreeing[0])
            confidence = _together(confidence, agreeing[0]["confidence"])
        return _suggestion(match["role"], match["kind"], confidence, grounds)
    likely = [f for f in findings if f["rate"] >= _HALF]
    return _from_finding(max(likely, key=lambda f: f["confidence"]), None) if likely else None


def _from_finding(found: Mapping[str, Any], match: Mapping[str, Any] | None) -> dict[str, Any]:
    grounds, confidence = _grounds(found), found["confidence"]
    if match is not None and match["kind"] == found["kind"]:
        grounds.append((_WHY_LOOKUP, {}))
        confidence = _together(confidence, match["confidence"])
    elif match is not None and match["role"] != found["role"]:
        grounds.append((_WHY_AGAINST, {}))
    return _suggestion(found["role"], found["kind"], confidence, grounds)


def _grounds(found: Mapping[str, Any]) -> Grounds:
    if found["kind"] in _KEYS:
        return [(_WHY_KEY, {})]
    grounds: Grounds = []
    if found["hits"]:
        grounds.append((_WHY_WHOLE, {"share": round(found["rate"] * 100, 1)}))
    if found["substring_hits"]:
        grounds.append((_WHY_INSIDE, {"rows": found["substring_hits"]}))
    if found["checked_hits"]:
        grounds.append((_WHY_CHECKED, {"rows": found["checked_hits"]}))
    return grounds


def _together(first: float, second: float) -> float:
    """Two methods that agree: both would have to be wrong."""
    return 1 - (1 - first) * (1 - second)


def _suggestion(role: str, kind: str, confidence: float, grounds: Grounds) -> dict[str, Any]:
    return {"role": role, "kind": kind, "confidence": round(confidence, 3), "why": grounds}
