"""The jobs of identification: the scan of a data set, counting by a key of persons, and the report as a document."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError
from techniques.core.messages import gettext_noop as _

from . import documents, scanning, services
from .enums import Method
from .models import IdentificationRound
from .persons import services as persons


@job_kind(services.SCAN)
class Scan(JobKind):
    """Look-up first, then the rules (5.3.3); each method is an item, so the order cannot be otherwise."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [
            ItemSpec(Method.LOOKUP.value, _("Look up the column names in the metadata table"), 1.0),
            ItemSpec(Method.RULES.value, _("Apply the rules to every row"), 40.0),
        ]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        round_ = IdentificationRound.objects.select_related("dataset").get(pk=job.subject_id)
        return scanning.method_run(round_, Method(key), tick)

    def finish(self, job: Job) -> None:
        services.round_finish(IdentificationRound.objects.get(pk=job.subject_id), by=job.requested_by)

    def failed(self, job: Job, error: EngineError | None) -> None:
        services.round_abandon(
            IdentificationRound.objects.get(pk=job.subject_id),
            why="internal" if error is None else error.code,
        )

    def cancelled(self, job: Job) -> None:
        services.round_abandon(
            IdentificationRound.objects.get(pk=job.subject_id), why="cancelled", by=job.cancelled_by
        )


@job_kind(persons.COUNT)
class CountPersons(JobKind):
    """Count the rows of each person by a key; what was counted is kept with the round when it ends."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        round_ = IdentificationRound.objects.select_related("dataset").get(pk=job.subject_id)
        counted = persons.count_run(round_, job.params["columns"], tick)
        persons.count_keep(round_, counted)
        return canonical_hash(counted.as_json())


@job_kind(documents.REPORT_JOB)
class ReportPdf(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        round_ = IdentificationRound.objects.select_related("dataset", "project").get(pk=job.subject_id)
        return documents.report_write(round_, language, by=job.requested_by)
