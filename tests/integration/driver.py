"""What the tests ask of a portal from outside its own process: ``python -m … VERB WORDS``, answers in JSON.

Several verbs with `` + `` between them are done one after the other, and answered by name.

A job is started from one of two scenarios: "chain" is the tests' own kind of job, "run" a recipe over the
demo's table.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.urls import reverse  # noqa: E402

from approvals.audit.verify import verify  # noqa: E402
from approvals.documents.models import Document  # noqa: E402
from approvals.governance.draft import Subject  # noqa: E402
from deid_portal.demo import accounts, story  # noqa: E402
from projects.core.enums import SharingType  # noqa: E402
from projects.core.models import Project  # noqa: E402
from projects.core.services import project_create  # noqa: E402
from projects.datasets.models import StoredFile  # noqa: E402
from projects.datasets.store.store import store_open  # noqa: E402
from projects.jobs.enums import ACTIVE  # noqa: E402
from projects.jobs.models import Job  # noqa: E402
from projects.jobs.services import job_cancel, job_run, job_start  # noqa: E402
from projects.objective.services import sharing_choose  # noqa: E402
from projects.processing.models import Run  # noqa: E402
from projects.processing.runs.services import run_start  # noqa: E402
from projects.releases.models import Delivery  # noqa: E402
from projects.releases.selectors import current_release  # noqa: E402
from projects.verification.selectors import current_verification  # noqa: E402
from projects.workflow import State  # noqa: E402

from . import races  # noqa: E402
from .killapp.parts import small_parts  # noqa: E402


def prepare() -> dict:
    """Twice, because an installation is migrated again with every release."""
    for _time in range(2):
        call_command("migrate", verbosity=0)
    project_create(title="First project", by=accounts.ensure_people()["planner"])
    return {}


def schema() -> dict:
    """Whether models and migrations are in step, and every migration was applied."""
    said = io.StringIO()
    call_command("makemigrations", check_changes=True, dry_run=True, stdout=said)
    call_command("showmigrations", stdout=said)
    return {"said": said.getvalue()}


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
    demo = story.Story(accounts.ensure_people(), "Kill test", story.csv_bytes(int(rows)), documents=False)
    demo.reach(State.PROCESSING)
    demo.write_recipe()
    for waiting in Job.objects.filter(status__in=ACTIVE):
        job_cancel(waiting, by=waiting.requested_by)
    return run_start(demo.project, by=demo.people["executor"])[1]


def start(scenario: str, size: str) -> dict:
    return {"job": str({"chain": chain, "run": run}[scenario](size).pk)}


def _content(job: Job) -> bytes:
    if job.subject_kind == "killtest":
        return store_open(StoredFile.objects.get(purpose="killtest")).read()
    return store_open(Run.objects.get(job_id=job.pk).tables.get().result).read()


def work(job_id: str) -> dict:
    """What a worker does with the job; the state that it leaves it in, which another worker may have made."""
    return {"status": job_run(job_id).status}


def undisturbed(job_id: str) -> dict:
    """Run the job here and now; "seconds" is what it took, loading the engine included."""
    small_parts()
    job_run(job_id)
    took = Job.objects.get(pk=job_id)
    return result(job_id) | {"seconds": (took.finished_at - took.started_at).total_seconds()}


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
        "log": [str(fault) for fault in verify().faults],
    }


def timeline(job_id: str) -> dict:
    items = Job.objects.get(pk=job_id).items.all()
    return {i.key: round((i.finished_at - i.started_at).total_seconds(), 2) for i in items}


BACKEND = "deid_portal.accounts.backends.AccountBackend"
PAGES = (
    "core:home", "core:project", "core:members", "core:history", "objective:page", "objective:plan", "datasets:page",
    "identification:page", "identification:report", "processing:page", "verification:page", "releases:page",
    "monitoring:page", "reversal:page", "vault:page", "api:project-detail", "api:verification-list",
)  # fmt: skip


# Whose static files nobody has collected.
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


@override_settings(STORAGES=settings.STORAGES | PLAIN)
def pages_read(project: Project) -> dict:
    """What pages of a project answer its planning manager, and what the recipient's own page answers them: each in one
    state of the database, outside of any other transaction. The last one acts although it is read."""
    client = Client(HTTP_HOST="localhost")
    client.force_login(accounts.ensure_people()["planner"], backend=BACKEND)
    found = {}
    for name in PAGES:
        of_it = {} if name == "core:home" else {"project_id": project.pk}
        found[name] = client.get(reverse(name, kwargs=of_it)).status_code
    release = current_release(project)
    client.force_login(accounts.ensure_people()["recipient"], backend=BACKEND)
    delivery = Delivery.objects.filter(release=release).first()
    for name, of_it in (("recipient:list", {}), ("recipient:download", {"delivery_id": delivery.pk})):
        found[name] = client.get(reverse(name, kwargs=of_it)).status_code
    return found


def whole_story(rows: str, documents: str) -> dict:
    """From nothing to the end, with the recipient's download and a look back on the way; "yes" prints PDFs."""
    started = time.monotonic()
    demo = story.Story(
        accounts.ensure_people(), "Whole story", story.csv_bytes(int(rows)), documents=documents == "yes"
    )
    demo.reach(State.MONITORING)
    fetched = demo.fetch()
    demo.look_back()
    measured = current_verification(demo.project)
    pages = pages_read(demo.project)
    demo.close()
    demo.project.refresh_from_db()
    checked = verify()
    result = measured.run.tables.get()
    return {
        "state": demo.project.state,
        "fetched": hashlib.sha256(fetched).hexdigest(),
        "released": result.result_sha256,
        "rows": result.result_rows,
        "checks": [[check["kind"], check["passed"], check.get("measured")] for check in measured.checks],
        "documents": Document.objects.count(),
        "jobs": sorted(set(Job.objects.values_list("status", flat=True))),
        "events": checked.rows,
        "faults": [str(fault) for fault in checked.faults],
        "pages": pages,
        "seconds": round(time.monotonic() - started, 1),
    }


def long_names(length: str) -> dict:
    """A column name as long as a name may be, from the upload to a verdict."""
    name = "列" * int(length)
    demo = story.Story(
        accounts.ensure_people(),
        "Long names",
        f"{name},性别,住址\n1,男,甲路1号\n2,女,乙路2号\n".encode(),
        documents=False,
    )
    demo.reach(State.IDENTIFICATION)
    demo.upload()
    demo.scan()
    demo.judge()
    project = demo.project
    return {"lengths": sorted(len(v.column) for v in races.verdicts_of(project)), "state": project.state}


def impossible_text() -> dict:
    """A NUL in a text, which JSON can carry and PostgreSQL cannot hold, sent to the API."""
    demo = story.Story(accounts.ensure_people(), "Impossible", b"", documents=False)
    demo.open()
    planner = demo.people["planner"]
    sharing_choose(demo.project, sharing_type=SharingType.CONTROLLED, by=planner)
    client = Client(HTTP_HOST="localhost")
    client.force_login(planner)
    address = reverse("api:objective-scope", kwargs={"project_id": demo.project.pk})
    answers = []
    for use in ("a\u0000b", "a b"):
        content = story.SCOPE.model_dump(mode="json") | {"use": use}
        response = client.put(address, json.dumps(content), content_type="application/json")
        answers.append([response.status_code, response.json().get("code", "")])
    return {"answers": answers}


VERBS = (
    impossible_text,
    prepare,
    schema,
    start,
    work,
    undisturbed,
    result,
    timeline,
    whole_story,
    long_names,
    *races.VERBS,
)

if __name__ == "__main__":
    known = {f.__name__: f for f in VERBS}
    said = {}
    for words in " ".join(sys.argv[1:]).split(" + "):
        verb, *values = words.split(" ")
        said[verb] = known[verb](*values)
    print(json.dumps(said[verb] if len(said) == 1 else said))
