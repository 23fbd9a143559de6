"""The kinds of jobs: a package says what its long work consists of, ``runner.py`` runs it.

Write kinds in ``kinds.py`` of a Django package; the first part of a kind's name is the package's label::

    @job_kind("processing.run")
    class ProcessingRun(JobKind):
        def items(self, job): return [ItemSpec("read", gettext_noop("Read the source"), 2.0), …]
        def run_item(self, job, key, tick): …; tick(0.5); …; return output_sha256
        def finish(self, job): run_finish(…)          # a service; commits together with the job's end

What a kind must keep to, so that a killed worker does no harm:

* An item may be run again from its start at any time. It writes its output under a name of its own
  (``EncryptedWorkspace``), whole or not at all, and the same bytes every time.
* ``items`` is asked once, when the job is first taken up; the answer is stored.
* ``run_item`` runs outside a transaction and calls ``tick(share of this item, 0…1)`` at least every
  second. ``tick`` raises :class:`Interrupted` when the job is cancelled or lost; let it pass.
* ``finish`` runs in the transaction that marks the job as succeeded: short, only rows.
* A problem that a person can correct is an ``EngineError``; anything else is reported with a reference only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, TypeVar

from django.apps import apps
from django.utils.module_loading import autodiscover_modules

import techniques
from techniques.core.messages import EngineError

from .models import Job

Tick = Callable[[float], None]


class Interrupted(BaseException):
    """The job was cancelled, or taken over by another worker. Not an ``Exception``: no kind swallows it."""


@dataclass(frozen=True)
class ItemSpec:
    """One item: ``key`` unique within the job, ``title`` an untranslated message id with placeholders for
    ``params`` (small JSON; its texts are translated too), ``weight`` > 0 its expected share of the work
    relative to the other items."""

    key: str
    title: str = ""
    weight: float = 1.0
    params: dict[str, Any] = field(default_factory=dict)


class JobKind:
    """Base of the kinds; overwrite ``run_item`` and what else is needed."""

    name: str = ""

    def items(self, job: Job) -> list[ItemSpec]:
        """The items in their order; at least one."""
        return [ItemSpec("all", job.title)]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        """Do one item and return the hash of its output ("" when it has none)."""
        raise NotImplementedError

    def finish(self, job: Job) -> None:
        """Every item is done: commit the outcome through services. May raise to make the job fail."""

    def failed(self, job: Job, error: EngineError | None) -> None:
        """The job failed for good: mark its subject. ``error`` None: internal fault."""
        self.broken_off(job, "internal" if error is None else error.code)

    def cancelled(self, job: Job) -> None:
        """The job was cancelled: mark its subject."""
        self.broken_off(job, "cancelled")

    def broken_off(self, job: Job, code: str) -> None:
        """Either: mark the subject. ``code`` is the error's, "internal" or "cancelled"."""

    def clean(self, job: Job) -> None:
        """Remove partial outputs, after ``failed`` or ``cancelled`` (what cannot be removed undoes no mark), and what a
        worker wrote that woke after the job's end."""

    def leave(self) -> None:
        """This worker lets go of a job, however that went: forget what was kept in memory for it."""


_kinds: dict[str, JobKind] = {}
Kind = TypeVar("Kind", bound=type[JobKind])


def job_kind(name: str) -> Callable[[Kind], Kind]:
    """Register a kind under ``name`` (``<package>.<what>``)."""

    def register(cls: Kind) -> Kind:
        known = _kinds.get(name)
        if known is not None and type(known).__qualname__ != cls.__qualname__:
            raise ValueError(f"job kind registered twice: {name}")
        kind = cls()
        kind.name = name
        _kinds[name] = kind
        return cls

    return register


def kind_of(name: str) -> JobKind:
    """The kind, or ``LookupError``.

    The package's ``kinds.py`` is loaded here and not at start: kinds need the engine, and the web
    process, which only starts jobs, does not.
    """
    if name not in _kinds:
        try:
            package = apps.get_app_config(name.split(".")[0]).name
            import_module(f"{package}.kinds")
        except (LookupError, ModuleNotFoundError):
            autodiscover_modules("kinds")
    return _kinds[name]


def kinds_load() -> None:
    """Load every kind, and the engine, which kinds load themselves once they work.

    For a process that workers are forked from: they share what it has loaded, and each that replaces another begins with it. What draws
    documents stays out: few jobs need it.
    """
    from techniques.core.compiling import numba_load

    autodiscover_modules("kinds")
    for module in walk_packages(techniques.__path__, "techniques."):
        if not module.name.startswith("techniques.cli"):
            import_module(module.name)
    numba_load()
