"""What the kill test asks of the portal from outside its own process: ``python -m … <verb>``, answers in JSON.

Two scenarios: "chain" is the test's own kind of job, "run" a recipe over the demo's table. Each starts one
job; the folder is copied then, so that the disturbed and the undisturbed run begin with the same rows,
the same keys and the same seed.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time

import django

django.setup()

from approvals.governance import Subject  # noqa: E402
from deid_portal.demo import accounts, story  # noqa: E402
from projects.core.services import project_create  # noqa: E402
from projects.datasets.models import StoredFile  # noqa: E402
from projects.datasets.store import store_open  # noqa: E402
from projects.jobs.enums import ACTIVE  # noqa: E402
from projects.jobs.models import Job  # noqa: E402
from projects.jobs.services import job_cancel, job_run, job_start  # noqa: E402
from projects.processing.models import Run  # noqa: E402
from projects.processing.services import run_start  # noqa: E402
from projects.workflow import State  # noqa: E402


def prepare() -> dict:
    accounts.ensure_people()
    return {}


def chain(pause: str) -> Job:
    user = accounts.ensure_people()["planner"]
    return job_start(
        "killtest.chain",
        project=project_create(title="Kill test", by=user),
        subject=Subject("killtest", "chain", "chain"),
        title="Chained parts",
        by=user,
        params={"pause": float(pause)},
    )


def run(rows: str) -> Job:
    told = story.Story(accounts.ensure_people(), "Kill test", story.csv_bytes(int(rows)), documents=False)
    told.reach(State.PROCESSING)
    told.write_recipe()
    for waiting in Job.objects.filter(status__in=ACTIVE):
        job_cancel(waiting, by=waiting.requested_by)
    return run_start(told.project, by=told.people["executor"])[1]


def start(scenario: str, size: str) -> dict:
    return {"job": str({"chain": chain, "run": run}[scenario](size).pk)}


def _content(job: Job) -> bytes:
    if job.subject_kind == "killtest":
        return store_open(StoredFile.objects.get(purpose="killtest")).read()
    return store_open(Run.objects.get(job_id=job.pk).result).read()


def undisturbed(job_id: str) -> dict:
    begun = time.monotonic()
    job_run(job_id)
    return result(job_id) | {"seconds": time.monotonic() - begun}


def result(job_id: str) -> dict:
    job = Job.objects.get(pk=job_id)
    content = _content(job)
    return {
        "status": job.status,
        "error": job.error_code,
        "attempts": job.attempts,
        "items": {item.key: [item.status, item.output_hash] for item in job.items.all()},
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "leftover": StoredFile.objects.exclude(scope="").count(),
    }


def timeline(job_id: str) -> dict:
    items = Job.objects.get(pk=job_id).items.all()
    return {i.key: round((i.finished_at - i.started_at).total_seconds(), 2) for i in items}


if __name__ == "__main__":
    verbs = {f.__name__: f for f in (prepare, start, undisturbed, result, timeline)}
    print(json.dumps(verbs[sys.argv[1]](*sys.argv[2:])))
