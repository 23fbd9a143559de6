"""Removing what a killed process left in the store."""

from __future__ import annotations

import fcntl
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

from ..models import StoredFile
from .sealed import parts_dir

# A whole file gets its row right after its name; one that has none for so long never will.
ORPHAN_SECONDS = 6 * 3600


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
    destroyed_forget()
    return removed + _orphans_remove()


def destroyed_forget() -> None:
    """Keys that were destroyed leave SQLite's write-ahead log too; PostgreSQL's is the operator's (archives, backups)."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


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
