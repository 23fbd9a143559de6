"""Reading what a sample in an enclave is drawn from, and what was drawn."""

from __future__ import annotations

import json
from typing import Any

from projects.datasets.store.store import store_open
from projects.jobs.selectors import latest_job
from projects.processing.models import RunTable
from projects.releases.deliveries.services import row_is_sound

from ..enums import READ_JOB
from ..models import ReceivedSample


def table_drawn_from(sample: ReceivedSample) -> RunTable | None:
    """What the run wrote of the file; None where it does not lie there as it was sealed."""
    release, file = sample.release, sample.release.files[sample.file]
    read = ("table", "dataset__stored", "result", "subjects", "run__project")
    tables = list(RunTable.objects.filter(run=release.run_id).select_related(*read))
    # The only table of a release has no name.
    of_file = tables if len(tables) == 1 else [one for one in tables if one.name == file["table"]]
    written = of_file[0] if of_file else None
    if written is None or written.result is None or written.result.destroyed_at is not None:
        return None
    sound = written.result.sha256 == written.result_sha256 == file["sha256"] and row_is_sound(release)
    return written if sound else None


def is_being_read(sample: ReceivedSample) -> bool:
    job = latest_job(sample.project, READ_JOB, sample.pk)
    return job is not None and job.is_active


def rows_of(sample: ReceivedSample) -> dict[str, Any]:
    """``columns`` and ``rows`` that were drawn; for services only."""
    assert sample.content is not None  # the rule has just said so
    with store_open(sample.content, whole=True) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found
