"""What the tests write down of a release made outside the portal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from projects.core.enums import SharingType
from projects.releases.relatives.outside.content import OutsideFacts
from projects.releases.relatives.outside.models import OutsideRelease
from projects.releases.relatives.outside.services import outside_record


def facts(**other: Any) -> OutsideFacts:
    return OutsideFacts(
        **{
            "name": "Visits for the city",
            "source": "A register of somebody else",
            "released_on": timezone.localdate() - timedelta(days=30),
            "sharing_type": SharingType.CONTROLLED,
            "recipients": "City health office",
            "columns": ["a", "b", "c"],
            "evidence": "folder 7",
            "why_outside": "Before the portal was there.",
            **other,
        }
    )


def sent(**other: Any) -> dict[str, Any]:
    """The same as a form sends it."""
    return {
        "name": "Visits for the city",
        "source": "A register of somebody else",
        "released_on": (timezone.localdate() - timedelta(days=30)).isoformat(),
        "sharing_type": "controlled",
        "recipients": "City health office",
        "columns": "a\nb\nc",
        "evidence": "folder 7",
        "why_outside": "Before the portal was there.",
        **other,
    }


def recorded(people: Any, **other: Any) -> OutsideRelease:
    return outside_record(facts(**other), by=people.planner)
