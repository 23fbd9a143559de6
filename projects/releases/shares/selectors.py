"""Reading who holds which shares (GB/T 37964 A.2.6)."""

from __future__ import annotations

import hashlib
import uuid

from approvals.governance.person import Person
from projects.processing.models import Run, ShareFile
from projects.processing.runs.shares import share_files_of

from ..models import Release
from ..selectors import number_held


def shares_hash(run: Run | uuid.UUID) -> str:
    """SHA-256 over the hashes of all holders' files of a run; empty where it shares nothing.

    A file counts as it is stored, so that an exchanged one changes the hash.
    """
    hashes = [
        share.sha256 if share.sha256 == share.stored.sha256 else f"{share.sha256} {share.stored.sha256}"
        for share in share_files_of(getattr(run, "pk", run))
    ]
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest() if hashes else ""


def share_files_for(user: Person, release: Release) -> dict[str, ShareFile]:
    """The files of shares that ``user`` may have of a release, by table; none where they hold no number."""
    number = number_held(user, release.project_id)
    return {share.table: share for share in share_files_of(release.run_id) if share.number == number}
