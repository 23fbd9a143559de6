"""Removing what a killed process left in the store."""

from __future__ import annotations

import fcntl
import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from projects.jobs.enums import ACTIVE
from projects.jobs.models import Job
from projects.vault.sqlite_log import log_empty

from ..models import StoredFile
from .sealed import parts_dir
from .store import store_remove

# A whole file gets its row right after its name; one that has none for so long never will.
ORPHAN_SECONDS = 6 * 3600
# What is in work belongs to a job that is open; the clocks of two machines may differ by a little.
UNFINISHED_SECONDS = 600


def store_sweep() -> int:
    """Remove half-written files whose writer is gone, and ciphertext that no key opens any more.

    Returns how many files were removed. A writer holds a lock on its file for as long as it lives.
    """
    removed = 0
    for part in parts_dir().glob("*.part"):
        try:
            with part.open("rb") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Between creating and locking its file a writer needs a moment.
                if time.time() - part.stat().st_mtime > 5:
                    part.unlink()
                    removed += 1
        except (BlockingIOError, FileNotFoundError):
            continue
    removed += _unfinished_remove()
    log_empty()
    return removed + _orphans_remove()


def _unfinished_remove() -> int:
    """Remove what a worker wrote for a job that another one had brought to its end meanwhile.

    A worker that was paused for longer than its lease writes on when it wakes, until it looks at the row of its job; then it
    removes that itself, unless it is killed before. A job is there before the files of its workspace, so whatever is older
    than every open job belongs to none.
    """
    before = timezone.now() - timedelta(seconds=UNFINISHED_SECONDS)
    oldest = Job.objects.filter(status__in=ACTIVE).aggregate(oldest=Min("created_at"))["oldest"]
    files = StoredFile.objects.exclude(scope="").filter(created_at__lt=min(before, oldest or before))
    for stored in files:
        with transaction.atomic():
            store_remove(stored)
    return len(files)


def _orphans_remove() -> int:
    removed = 0
    old = time.time() - ORPHAN_SECONDS
    for folder in Path(settings.DEID_STORE_DIR).glob("[0-9a-f][0-9a-f]"):
        files = {path.stem: path for path in folder.glob("*.enc") if path.stat().st_mtime < old}
        live = {
            key.hex
            for key in StoredFile.objects.filter(pk__in=list(files), destroyed_at=None).values_list(
                "pk", flat=True
            )
        }
        for name, path in files.items():
            if name not in live:
                path.unlink(missing_ok=True)
                removed += 1
    return removed
