"""What a portal says of the data directory that it is given, asked from outside the tests' own process.

``python -m tests.upgrade.answers ADDRESSES`` prints JSON; ADDRESSES is a JSON file of {account: [paths]}. The clock
stands still an hour after the directory was made, so that nothing in it has run out.
"""

from __future__ import annotations

import hashlib
import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db.models import QuerySet  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from approvals.audit.events import STATE_TAKEN_IN  # noqa: E402
from approvals.audit.models import AuditEvent  # noqa: E402
from approvals.audit.verify import verify  # noqa: E402
from approvals.decisions.models import SignOff  # noqa: E402
from approvals.decisions.selectors import current_approval, passed_review  # noqa: E402
from approvals.documents.models import Document  # noqa: E402
from approvals.documents.services import document_open  # noqa: E402
from deid_portal.accounts.models import User  # noqa: E402
from projects.core.evidence import content_of  # noqa: E402
from projects.core.models import Project  # noqa: E402
from projects.datasets.models import StoredFile  # noqa: E402
from projects.datasets.store.store import store_open  # noqa: E402
from projects.identification.selectors import canonical_hash, verdicts_hash  # noqa: E402
from projects.jobs.enums import JobStatus  # noqa: E402
from projects.jobs.models import Job  # noqa: E402
from projects.jobs.services import job_run  # noqa: E402
from projects.objective.selectors import plan_hash  # noqa: E402
from projects.processing.models import MappingTable, RecipeVersion  # noqa: E402
from projects.processing.recipes.selectors import current_recipe  # noqa: E402
from projects.processing.runs.mapping_tables import mapping_find  # noqa: E402
from projects.processing.runs.selectors import (  # noqa: E402
    latest_run,
    result_open,
    results_are_sound,
    run_hash,
    tables_of_run,
)
from projects.releases.deliveries.services import row_is_sound  # noqa: E402
from projects.releases.models import Release  # noqa: E402
from projects.releases.seal import seal_matches  # noqa: E402
from projects.reversal.models import ReversalRequest  # noqa: E402
from projects.reversal.services import reversal_read  # noqa: E402
from projects.verification.selectors import content_hash_now, current_verification  # noqa: E402
from projects.workflow import Stage  # noqa: E402
from techniques.recipe.recipe import Recipe  # noqa: E402

LOOKED_UP = 5
"""Pseudonyms of each mapping table that are looked up."""


def before_the_migration() -> QuerySet[AuditEvent]:
    """What was in the log when the directory was packed; the migration goes on from there."""
    return AuditEvent.objects.filter(seq__lt=AuditEvent.objects.get(action=STATE_TAKEN_IN).seq)


def audit() -> dict[str, Any]:
    """The log as it was before its rows were sealed, and what is wrong with all of it, what it explains included."""
    faults = [str(fault) for fault in verify().faults]
    earlier = before_the_migration()
    return {"rows": earlier.count(), "end": earlier.latest("seq").hash, "faults": faults}


def project(one: Project) -> dict[str, Any]:
    """Every hash that somebody signed or that a seal covers, worked out anew from the rows as they are now."""
    return {
        "state": one.state,
        "plan": plan_hash(one),
        "verdicts": verdicts_hash(one),
        "stages": {stage.value: stage_content(one, stage) for stage in Stage},
        "recipe": getattr(current_recipe(one), "content_hash", None),
        "recipes": [recipe(version) for version in one.recipes.order_by("number")],
        "run": run(one),
        "verification": verification(one),
        "sign-offs": [signoff(row) for row in SignOff.objects.filter(project_id=one.pk).order_by("submitted_at")],
        "releases": [release(row) for row in one.releases.order_by("released_at")],
    }  # fmt: skip


def stage_content(one: Project, stage: Stage) -> dict[str, Any] | None:
    """What a review of the stage judges now, and whether a review that passed still holds for it."""
    subject = content_of(one, stage)
    if subject is None:
        return None
    review = passed_review(one.pk, stage=stage.value, content_hash=subject.hash)
    return {"kind": subject.kind, "id": subject.id, "hash": subject.hash, "passed": review is not None}


def recipe(version: RecipeVersion) -> dict[str, Any]:
    """The hash of its content, by table and as a whole."""
    parts = {name: Recipe.from_data(content).content_hash() for name, content in version.tables.items()}
    whole = next(iter(parts.values()))
    if len(parts) > 1:
        whole = canonical_hash([[[name, parts[name]] for name in sorted(parts)], version.references])
    return {
        "number": version.number,
        "kept": version.content_hash,
        "worked out": whole,
        "tables": sorted(parts),
    }


def run(one: Project) -> dict[str, Any] | None:
    """The current result: hashes by the rows, and of the bytes as they are stored."""
    last = latest_run(one)
    if last is None:
        return None
    bytes_of = {name: sha256(result_open(table)) for name, table in tables_of_run(last).items()}
    return {
        "number": last.number,
        "hash": run_hash(last),
        "sound": results_are_sound(last),
        "bytes": bytes_of,
    }


def verification(one: Project) -> dict[str, Any] | None:
    found = current_verification(one)
    if found is None:
        return None
    now = content_hash_now(found, found.run)
    return {"kept": found.content_hash, "worked out": now, "passed": found.passed}


def signoff(row: SignOff) -> dict[str, Any]:
    holds = current_approval(row.project_id, kind=row.subject_kind, content_hash=row.subject_hash) == row
    said = {"kind": row.subject_kind, "hash": row.subject_hash, "decision": row.decision}
    return said | {"lapsed": row.lapsed_at is not None, "holds": holds}


def release(row: Release) -> dict[str, Any]:
    first, *others = row.files
    files = [[one["table"], one["sha256"]] for one in others]
    stored = StoredFile.objects.get(pk=first["stored"])
    checked = {"seal": row.seal, "seal matches": seal_matches(row), "row is sound": row_is_sound(row)}
    return checked | {"result": first["sha256"], "bytes": sha256(store_open(stored)), "files": files}


def sha256(stream: Any) -> str:
    with stream:
        return hashlib.sha256(stream.read()).hexdigest()


def stored_files() -> dict[str, Any]:
    """The bytes of every file that was not destroyed, as they come out of the encrypted store."""
    live = StoredFile.objects.filter(destroyed_at=None).order_by("pk")
    return {str(file.pk): [file.purpose, file.sha256 == sha256(store_open(file))] for file in live}


def mapping_tables() -> dict[str, Any]:
    """What some pseudonyms of the results stand for."""
    found = {}
    for mapping in MappingTable.objects.select_related("run__project").order_by("pk"):
        of_run = tables_of_run(mapping.run)
        values = column(
            result_open(of_run[mapping.table] if mapping.table else next(iter(of_run.values()))),
            mapping.column,
        )
        place = f"{mapping.run.project.number} run {mapping.run.number} {mapping.table} {mapping.column}"
        found[place] = dict(zip(values, mapping_find(mapping, values), strict=True))
    return found


def column(stream: Any, name: str) -> list[str]:
    with stream:
        head, *lines = stream.read().decode("utf-8-sig").splitlines()[: LOOKED_UP + 1]
    place = [one.strip('"') for one in head.split(",")].index(name)
    return [line.split(",")[place].strip('"') for line in lines]


def reversals() -> list[Any]:
    """The answers that were got before are still read by who asked."""
    ready = ReversalRequest.objects.filter(status="ready").select_related("asked_by").order_by("asked_at")
    return [
        [[one.value, one.original, one.in_result] for one in reversal_read(request, by=request.asked_by)]
        for request in ready
    ]


def documents() -> list[Any]:
    kept = Document.objects.order_by("created_at", "language")
    return [
        [one.kind, one.language, hashlib.sha256(document_open(one)).hexdigest() == one.sha256] for one in kept
    ]


def visit(addresses: dict[str, list[str]], *, api: bool) -> dict[str, Any]:
    """Each answer of the API with its status, or the status of each page."""
    found: dict[str, Any] = {}
    for account, paths in addresses.items():
        client = Client(HTTP_HOST="localhost")
        client.force_login(User.objects.get(username=account))
        for path in paths:
            if path.startswith("/api/") is api:
                response = client.get(path)
                found[f"{account} {path}"] = (
                    [response.status_code, response.json()] if api else response.status_code
                )
    return found


def deliveries() -> dict[str, Any]:
    """Each release is asked for by its recipients, its seal verified, and every file fetched, as their clicks do."""
    fetched = {}
    for one in Release.objects.select_related("project").order_by("released_at"):
        for member in one.project.memberships.filter(role="recipient").select_related("user").order_by("pk"):
            client = Client(HTTP_HOST="localhost")
            client.force_login(member.user)
            # Who received before terms were accepted in the portal accepts them first; without an agreement there are none.
            client.post(f"/api/receive/{one.pk}/accept/", {"accepted": True}, "application/json")
            response = client.post(
                f"/api/receive/{one.pk}/request/", {"notice_read": True}, "application/json"
            )
            assert response.status_code == 202, (response.status_code, response.content)
            for job in Job.objects.filter(status=JobStatus.QUEUED, kind="releases.verify_seal"):
                job_run(job.pk)
            for number in range(len(one.files)):
                got = client.get(f"/api/receive/deliveries/{response.json()['id']}/download/?file={number}")
                content = b"".join(got.streaming_content) if got.streaming else got.content
                name = f"{one.project.number} {member.user.username} file {number}"
                fetched[name] = [got.status_code, hashlib.sha256(content).hexdigest()]
    return fetched


def waiting_job() -> list[str]:
    """A job that was waiting is carried out."""
    job = Job.objects.filter(status=JobStatus.QUEUED, project__number="2026-0009").earliest("created_at")
    return [job.kind, job_run(job.pk).status]


def main(addresses: dict[str, list[str]]) -> dict[str, Any]:
    call_command("migrate", verbosity=0, interactive=False)
    now = before_the_migration().latest("seq").at + timedelta(hours=1)
    timezone.now = lambda: now
    # What is only read comes first: the later acts go into the log that the API shows.
    facts: dict[str, Any] = {"audit": audit()}
    answers = visit(addresses, api=True)
    facts["projects"] = {one.number: project(one) for one in Project.objects.order_by("number")}
    facts["pages"] = visit(addresses, api=False)
    facts |= {"stored files": stored_files(), "mapping tables": mapping_tables(), "documents": documents()}
    facts |= {"reversals": reversals(), "deliveries": deliveries(), "waiting job": waiting_job()}
    facts["faults at the end"] = audit()["faults"]
    return {"facts": facts, "answers": answers}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
