"""A kind of job whose behaviour a test sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from approvals.governance.draft import Subject
from projects.jobs import registry
from projects.jobs.registry import ItemSpec, JobKind
from projects.jobs.services import job_start


class Scripted(JobKind):
    """Remembers what was called; ``on_item``, ``on_finish``, ``on_failed`` are set by the test."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.specs = [ItemSpec("one", "One", 1.0), ItemSpec("two", "Two", 3.0)]
        self.on_item: Callable[..., Any] = lambda job, key, tick: None
        self.on_finish: Callable[..., Any] = lambda job: None
        self.on_failed: Callable[..., Any] = lambda job: None

    def items(self, job):
        self.calls.append("items")
        return self.specs

    def run_item(self, job, key, tick):
        self.calls.append(key)
        self.on_item(job, key, tick)
        return f"hash-{key}"

    def finish(self, job):
        self.calls.append("finish")
        self.on_finish(job)

    def failed(self, job, error):
        self.calls.append(("failed", error.code if error else None))
        self.on_failed(job)

    def cancelled(self, job):
        self.calls.append("cancelled")


@pytest.fixture
def kind(monkeypatch):
    scripted = Scripted()
    scripted.name = "test.scripted"
    monkeypatch.setitem(registry._kinds, "test.scripted", scripted)
    return scripted


@pytest.fixture
def start(kind, project, people):
    def run(subject_id="subject-1", **more):
        return job_start(
            "test.scripted",
            project=more.pop("project", project),
            subject=Subject("thing", subject_id, "A thing"),
            title="Doing things",
            by=more.pop("by", people.executor),
            **more,
        )

    return run
