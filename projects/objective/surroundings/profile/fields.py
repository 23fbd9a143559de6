"""A profile as the form of the factors asks for it: whether anything is left out, and what is ticked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .acts import acts_of

ALL, LISTED = "all", "listed"
CHOICES = (
    (ALL, gettext_lazy("Everything that the sharing type permits")),
    (LISTED, gettext_lazy("Only what is ticked here")),
)
FIELDS = ("acts", "allowed", "queries_a_day")


def as_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """``content``, its profile as the fields of the form; what has none, not even None, is as it was."""
    if "profile" not in content:
        return dict(content)
    rest = {name: value for name, value in content.items() if name != "profile"}
    said = content["profile"]
    if said is None:
        return rest | {"acts": ALL}
    return rest | {"acts": LISTED, "allowed": said["allowed"], "queries_a_day": said.get("queries_a_day")}


def as_content(data: Mapping[str, Any], sharing_type: str) -> dict[str, Any]:
    """What was sent, with a profile instead of the fields where anything is left out or bounded."""
    rest = {name: value for name, value in data.items() if name not in FIELDS}
    most, permitted = data.get("queries_a_day"), [act.value for act in acts_of(sharing_type)]
    if data.get("acts") != LISTED:
        return rest if most is None else rest | {"profile": {"allowed": permitted, "queries_a_day": most}}
    if not data.get("allowed"):
        raise ValidationError({"allowed": [_("Tick at least one act.")]})
    return rest | {
        "profile": {"allowed": data["allowed"], **({} if most is None else {"queries_a_day": most})}
    }
