"""The jobs of releases."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from techniques.core.messages import EngineError, gettext_noop

from .agreements.documents import AGREEMENT_JOB, text_write
from .deliveries.files import measured_sha256, sealed_files
from .deliveries.publications.services import PUBLISH_JOB, publication_break_off, publication_conclude
from .deliveries.requests.documents import slip_write
from .deliveries.requests.enums import SLIP_JOB
from .deliveries.services import DELIVERY_JOB, NO_SHARE, delivery_break_off, delivery_conclude, handed_to
from .models import Delivery, Publication, RelativesMeasurement
from .relatives.report import Finding
from .relatives.services import RELATIVES_JOB, measurement_break_off, measurement_complete


@job_kind(DELIVERY_JOB)
class VerifySeal(JobKind):
    """Hash the stored result again, before each delivery."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        delivery = Delivery.objects.select_related("release", "recipient").get(pk=job.subject_id)
        files = handed_to(delivery.release, delivery.recipient)
        if not files:
            raise EngineError(NO_SHARE, gettext_noop("No share was given to this recipient."))
        return measured_sha256(files, tick)

    def finish(self, job: Job) -> None:
        delivery = Delivery.objects.select_related("release__project", "recipient").get(pk=job.subject_id)
        delivery_conclude(delivery, measured_sha256=job.items.get().output_hash)

    def broken_off(self, job: Job, code: str) -> None:
        delivery = Delivery.objects.select_related("release__project", "recipient").get(pk=job.subject_id)
        delivery_break_off(delivery, code=code)


@job_kind(PUBLISH_JOB)
class Publish(JobKind):
    """Hash the stored result again, before everybody can fetch it."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        return measured_sha256(sealed_files(_publication(job).release), tick)

    def finish(self, job: Job) -> None:
        publication_conclude(_publication(job), measured_sha256=job.items.get().output_hash)

    def broken_off(self, job: Job, code: str) -> None:
        publication_break_off(_publication(job), code=code)


def _publication(job: Job) -> Publication:
    return Publication.objects.select_related("project", "release__project").get(pk=job.subject_id)


@job_kind(AGREEMENT_JOB)
class PrintAgreement(DocumentKind):
    """The text of the agreement of an approved project."""

    def write(self, job: Job, language: str) -> Document:
        assert job.project is not None  # the job was started by somebody in a project
        return text_write(job.project, language, by=job.requested_by)


@job_kind(SLIP_JOB)
class PrintSlip(DocumentKind):
    """The slip of one fetch."""

    def write(self, job: Job, language: str) -> Document:
        return slip_write(job.subject_id, language, by=job.requested_by)


@job_kind(RELATIVES_JOB)
class MeasureRelatives(JobKind):
    """Each set of releases by itself: what one refuses stops no other, and a cancelled job ends between two of them."""

    def items(self, job: Job) -> list[ItemSpec]:
        sets = _measurement(job).sets
        title = gettext_noop("Measure combination %(number)s of %(all)s")
        return [
            ItemSpec(f"set-{n}", title, len(one["releases"]) or 1, {"number": n + 1, "all": len(sets)})
            for n, one in enumerate(sets)
        ] or [ItemSpec("nothing", gettext_noop("Nothing can be measured"))]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .relatives.measurement import finding_of

        if key == "nothing":
            return ""
        found = finding_of(_measurement(job), int(key.removeprefix("set-")), tick)
        return _relatives_workspace(job).write_json(key, found.model_dump(mode="json"))

    def finish(self, job: Job) -> None:
        measurement, workspace = _measurement(job), _relatives_workspace(job)
        found = [workspace.read_json(f"set-{n}") for n in range(len(measurement.sets))]
        measurement_complete(measurement, [Finding.model_validate(one) for one in found])
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        measurement_break_off(_measurement(job), code=code)

    def clean(self, job: Job) -> None:
        _relatives_workspace(job).clear()


def _measurement(job: Job) -> RelativesMeasurement:
    return RelativesMeasurement.objects.select_related("project").get(pk=job.subject_id)


def _relatives_workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"relatives:{job.subject_id}")
