"""The files of a release over several tables: which, whether they are what was sealed, and their format."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.processing.models import Run, RunTable
from projects.processing.runs.selectors import run_format
from techniques.core.messages import EngineError

from ..models import Release
from ..seal import sha256_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from techniques.tables.formats import FileFormat


def stored_of(release: Release, number: int) -> StoredFile:
    """The stored file at ``number`` among ``release.all_files``; ``StoredFile.DoesNotExist`` beyond the last."""
    if number == 0:
        return release.result
    if not 0 < number <= len(release.files):
        raise StoredFile.DoesNotExist
    return StoredFile.objects.get(pk=release.files[number - 1]["stored"])


def further_stored(release: Release) -> Iterator[tuple[dict[str, Any], StoredFile | None]]:
    """Each further file with what the store says of it; None where its row is gone."""
    found = (
        {str(one.pk): one for one in StoredFile.objects.filter(pk__in=[f["stored"] for f in release.files])}
        if release.files
        else {}
    )
    for file in release.files:
        yield file, found.get(file["stored"])


def format_of(release: Release, number: int) -> FileFormat:
    if number == 0:
        return run_format(Run.objects.get(pk=release.run_id))
    name = release.files[number - 1]["table"]
    return run_format(RunTable.objects.get(run_id=release.run_id, name=name))


def measured_sha256(release: Release, tick: Callable[[float], None]) -> str:
    """SHA-256 of the first file as it is stored now, if every further one is what was sealed; else zeros.

    A release is handed out whole or not at all, so one altered file stands for all of them.
    """
    files = [(release.result, release.result_sha256)]
    for file, stored in further_stored(release):
        if stored is None:
            return "0" * 64
        files.append((stored, file["sha256"]))
    total = sum(stored.size for stored, _sha256 in files) or 1
    done, first = 0, ""
    for number, (stored, sealed) in enumerate(files):
        measured = _measured(stored, partial(_share_of_all, tick, done, stored.size, total))
        if number == 0:
            first = measured
        elif measured != sealed:
            return "0" * 64
        done += stored.size
    return first


def _share_of_all(tick: Callable[[float], None], done: int, size: int, total: int, share: float) -> None:
    tick((done + share * size) / total)


def _measured(stored: StoredFile, tick: Callable[[float], None]) -> str:
    try:
        with store_open(stored) as stream:
            return sha256_of(stream, tick, stored.size)
    except EngineError:
        # The store found that its own bytes were altered: a broken seal, not a broken job.
        return "0" * 64


def open_file(release: Release, number: int) -> BinaryIO:
    """The plaintext of one file; EngineError where the store finds it altered."""
    return store_open(stored_of(release, number))
