"""A job whose every item needs the output of the one before: a lost or half-written part would show."""

from __future__ import annotations

import hashlib
import time

from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.registry import ItemSpec, JobKind, job_kind

ITEMS = 50
PART = 200_000
STEPS = 8


def workspace(job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"killtest:{job.subject_id}")


def stretch(seed: bytes, size: int) -> bytes:
    return hashlib.shake_256(seed).digest(size)


@job_kind("killtest.chain")
class Chain(JobKind):
    """``params["pause"]`` seconds are slept in each of the STEPS of an item, so that a kill hits in the middle."""

    def items(self, job):
        return [ItemSpec(f"part-{i:03}") for i in range(ITEMS)] + [ItemSpec("join")]

    def run_item(self, job, key, tick):
        space = workspace(job)
        digest = hashlib.sha256()
        with space.open_write(key) as target:
            if key == "join":
                for i in range(ITEMS):
                    with space.open_read(f"part-{i:03}") as part:
                        content = part.read()
                    target.write(content)
                    digest.update(content)
                return digest.hexdigest()
            number = int(key[-3:])
            seed = b"start"
            if number:
                with space.open_read(f"part-{number - 1:03}") as before:
                    seed = hashlib.sha256(before.read()).digest()
            for step in range(STEPS):
                piece = stretch(seed + bytes([step]), PART // STEPS)
                target.write(piece)
                digest.update(piece)
                time.sleep(job.params["pause"])
                tick((step + 1) / STEPS)
        return digest.hexdigest()

    def finish(self, job):
        space = workspace(job)
        space.adopt("join", "killtest")
        space.clear()

    def cancelled(self, job):
        workspace(job).clear()


@job_kind("killtest.quick")
class Quick(JobKind):
    """Two short items, for races about who does a job and how it ends."""

    def items(self, job):
        return [ItemSpec("first"), ItemSpec("second")]

    def run_item(self, job, key, tick):
        for step in range(4):
            time.sleep(job.params.get("pause", 0.002))
            tick(step / 4)
        return hashlib.sha256(key.encode()).hexdigest()
