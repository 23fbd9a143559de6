"""The jobs of releases."""

from __future__ import annotations

from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from techniques.messages import EngineError

from .deliveries import DELIVERY_JOB, delivery_break_off, delivery_conclude
from .files import measured_sha256
from .models import Delivery


@job_kind(DELIVERY_JOB)
class VerifySeal(JobKind):
    """Hash the stored result again, before each delivery."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        release = Delivery.objects.select_related("release__result").get(pk=job.subject_id).release
        return measured_sha256(release, tick)

    def finish(self, job: Job) -> None:
        delivery = Delivery.objects.select_related("release__project", "release__result", "recipient").get(
            pk=job.subject_id
        )
        delivery_conclude(delivery, measured_sha256=job.items.get().output_hash)

    def failed(self, job: Job, error: EngineError | None) -> None:
        self._break_off(job, error.code if error else "internal")

    def cancelled(self, job: Job) -> None:
        self._break_off(job, "cancelled")

    @staticmethod
    def _break_off(job: Job, code: str) -> None:
        delivery = Delivery.objects.select_related("release__project", "recipient").get(pk=job.subject_id)
        delivery_break_off(delivery, code=code)
