"""What a publication says to everybody: for its page, the preview before the decision, and the API.

Only what the release's own papers say of this run stands here: the notice, the designation and what the gate measured. Names of
people and what they wrote for each other do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from projects.core.numbers import amount
from projects.processing.models import RunTable
from projects.processing.runs.designation.presentation import Shown
from projects.verification.gate.check import label_of
from projects.verification.gate.checks import check_of
from projects.verification.wording import translated

from ...enums import Availability, PublicationStatus
from ...models import Publication
from ..notice import Notice, degree_notice, designation_of_release, notices_of, verification_of
from .rules import availability_of
from .selectors import versions_of

TONES = {
    PublicationStatus.WAITING: "warn",
    PublicationStatus.REPLACED: "neutral",
    PublicationStatus.REFUSED: "fail",
    PublicationStatus.VERIFYING: "info",
    PublicationStatus.LIVE: "ok",
    PublicationStatus.STOPPED: "fail",
    PublicationStatus.WITHDRAWN: "neutral",
    PublicationStatus.LAPSED: "neutral",
}


@dataclass(frozen=True)
class Measured:
    """One thing that was measured of the result: what, how much, and the same in words."""

    label: str
    amount: str
    plain: str


@dataclass(frozen=True)
class File:
    """A file of the publication; ``number`` is that of its address."""

    number: int
    table: str
    name: str
    rows: int
    size: int
    sha256: str
    columns: list[str]


@dataclass(frozen=True)
class Version:
    """Another version of the same publication; ``is_up``: whether it hands its files out."""

    publication: Publication
    availability: Availability

    @property
    def is_up(self) -> bool:
        return self.availability is Availability.UP


@dataclass(frozen=True)
class Published:
    """All that a publication says while it is up, and before it is decided."""

    publication: Publication
    seal: str
    files: list[File]
    designation: Shown | None
    notices: list[tuple[str, Notice]]
    degree_below: str
    measured: list[Measured]


def published(publication: Publication) -> Published:
    """In the reader's language."""
    release = publication.release
    columns: dict[str, list[str]] = {
        one.name: one.report["columns_out"] for one in RunTable.objects.filter(run=release.run_id)
    }
    files = [
        File(
            number,
            one["table"],
            one["file_name"],
            one["rows"],
            one["size"],
            one["sha256"],
            columns.get(one["table"], []),
        )
        for number, one in enumerate(release.files)
    ]
    return Published(
        publication,
        release.seal,
        files,
        designation_of_release(release),
        notices_of(release),
        degree_notice(release),
        _measured(publication),
    )


def _measured(publication: Publication) -> list[Measured]:
    verification = verification_of(publication.release)
    if verification is None:
        return []
    return [
        Measured(label_of(one), amount(one.measured, one.unit), translated(one.plain))
        for one in verification.results
        if check_of(one.kind).is_for_everybody and one.passed is not None
    ]


def other_versions(publication: Publication) -> tuple[Version | None, list[Version]]:
    """The newest version where that is a later one, and every earlier one."""
    others = [
        Version(one, availability_of(one)) for one in versions_of(publication) if one.pk != publication.pk
    ]
    version = publication.version or 0
    newer = next((one for one in others if (one.publication.version or 0) > version), None)
    return newer, [one for one in others if (one.publication.version or 0) < version]


def tone_of(publication: Publication) -> str:
    return TONES[PublicationStatus(publication.status)]


def content_of(publication: Publication) -> dict[str, Any]:
    """What a template of a publication needs."""
    return {"publication": publication, "published": published(publication)}
