"""The jobs of releases."""

from __future__ import annotations

from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from techniques.core.messages import EngineError, gettext_noop

from .deliveries.files import measured_sha256
from .deliveries.services import DELIVERY_JOB, NO_SHARE, delivery_break_off, delivery_conclude, handed_to
from .models import Delivery


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
