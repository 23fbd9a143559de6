"""What the answers of a target say against each other (GB/T 37964 5.2.2 b, c, 5.2.3 c); plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from projects.core.enums import SharingType
from techniques.core.messages import gettext_noop

from ..enums import Classification, Promise, Protection
from ..surroundings.profile.acts import acts_of, hands_over

# What holds of a file wherever it goes, and of people whom nobody knows.
_OF_NOBODY = {Protection.NO_CONTROL, Protection.ENCRYPTED}


def conflicts(scope: Mapping[str, Any], factors: Mapping[str, Any], sharing_type: str) -> list[str]:
    """Untranslated sentences, each about answers that do not go together; empty where nothing was answered yet."""
    return [*_grade(scope, sharing_type), *_promise(scope), *protection_conflicts(factors, sharing_type)]


def _grade(scope: Mapping[str, Any], sharing_type: str) -> list[str]:
    if sharing_type != SharingType.PUBLIC:
        return []
    said = {
        Classification.SENSITIVE: gettext_noop(
            "The data are graded as sensitive data, and completely public sharing gives them to everybody."
        ),
        Classification.IMPORTANT: gettext_noop(
            "The data are graded as important data, and completely public sharing gives them to everybody."
        ),
    }
    return [said[grade] for grade in said if scope.get("classification") == grade]


def _promise(scope: Mapping[str, Any]) -> list[str]:
    unknown = gettext_noop(
        "What was promised when the data were collected is not known: whether this use keeps to it cannot be told."
    )
    return [unknown] if scope.get("promise") == Promise.UNKNOWN else []


def protection_conflicts(factors: Mapping[str, Any], sharing_type: str) -> list[str]:
    """Protections that the sharing type, the profile of the surroundings or each other contradict: nobody saves them any more, and
    targets of before that may have them."""
    named: Collection[str] = factors.get("protections") or ()
    said = []
    if Protection.NO_CONTROL in named and len(named) > 1:
        said.append(gettext_noop("“None is possible” is ticked among the protections, and others beside it."))
    if sharing_type == SharingType.PUBLIC and set(named) - _OF_NOBODY:
        said.append(
            gettext_noop(
                "Protections are named that hold only where it is known who receives, and completely public sharing gives the "
                "data to everybody."
            )
        )
    profile = factors.get("profile")
    allowed = profile["allowed"] if profile else acts_of(sharing_type)
    if sharing_type == SharingType.CONTROLLED and Protection.VIEW_ONLY in named and hands_over(allowed):
        said.append(
            gettext_noop(
                "Viewing inside a controlled environment only is named among the protections, and under controlled public "
                "sharing the recipients fetch the file."
            )
        )
    if sharing_type == SharingType.CONTROLLED and Protection.WATERMARK in named:
        said.append(
            gettext_noop(
                "A watermark is named among the protections, and the file that recipients fetch under controlled public "
                "sharing has none: only the look within the portal has one."
            )
        )
    if sharing_type != SharingType.PUBLIC and Protection.NO_CONTROL in named:
        said.append(
            gettext_noop(
                "The plan says that no protection is possible, and the sharing type rests on protections."
            )
        )
    return said
