"""The jobs of releases."""

from __future__ import annotations

from projects.datasets.store.store import store_open
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from techniques.core.messages import EngineError, gettext_noop

from .deliveries.files import measured_sha256
from .deliveries.services import DELIVERY_JOB, NO_SHARE, delivery_break_off, delivery_conclude, file_of
from .models import Delivery
from .seal import sha256_of


@job_kind(DELIVERY_JOB)
class VerifySeal(JobKind):
    """Hash the stored result again, before each delivery."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        delivery = Delivery.objects.select_related("release__result", "recipient").get(pk=job.subject_id)
        if delivery.release.files:
            return measured_sha256(delivery.release, tick)
        result = file_of(delivery.release, delivery.recipient)
        if result is None:
            raise EngineError(NO_SHARE, gettext_noop("No share was given to this recipient."))
        try:
            with store_open(result) as stream:
                return sha256_of(stream, tick, result.size)
        except EngineError:
            # The store found that its own bytes were altered: a broken seal, not a broken job.
            return "0" * 64

    def finish(self, job: Job) -> None:
        delivery = Delivery.objects.select_related("release__project", "release__result", "recipient").get(
            pk=job.subject_id
        )
        delivery_conclude(delivery, measured_sha256=job.items.get().output_hash)

    def broken_off(self, job: Job, code: str) -> None:
        delivery = Delivery.objects.select_related("release__project", "recipient").get(pk=job.subject_id)
        delivery_break_off(delivery, code=code)
