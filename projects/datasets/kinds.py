"""The jobs about data sets. Files that strangers sent are parsed here, in a worker, never in the web process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from projects.core.models import Project
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from techniques.core.messages import EngineError, gettext_noop

from . import services
from .enums import CHECK, DETECT, JOIN_CHECK
from .models import Dataset
from .samples import sample_read
from .selectors import dataset_format, dataset_open
from .store.store import EncryptedWorkspace
from .tables import services as declaring
from .tables.selectors import current_datasets, links_of
from .upload.headers import names_check
from .upload.memory import memory_bound


def dataset_of(job: Job) -> Dataset:
    return Dataset.objects.select_related("project", "stored", "sample").get(pk=job.subject_id)


class DatasetJob(JobKind):
    """What both jobs share: a fault of the file refuses it, any other end re-opens it."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        try:
            with memory_bound():
                return self.read_item(job, key, tick)
        except MemoryError:
            pass
        # The machine may be short of memory for another reason: the file is not destroyed for it.
        text = gettext_noop(
            "Reading this file takes more memory than a worker may have (%(limit)s MB). Split the file, or "
            "send it as CSV."
        )
        raise EngineError("job.memory", text, limit=settings.DEID_READ_MEMORY_MB)

    def read_item(self, job: Job, key: str, tick: Tick) -> str:
        raise NotImplementedError

    def failed(self, job: Job, error: EngineError | None) -> None:
        # A worker that died, a full disk or our own fault is no reason to destroy somebody's file.
        if error is not None and error.code.startswith("table."):
            services.dataset_refuse(dataset_of(job), error=error, by=job.requested_by)
        else:
            services.dataset_reopen(dataset_of(job), by=job.requested_by)

    def cancelled(self, job: Job) -> None:
        services.dataset_reopen(dataset_of(job), by=job.requested_by)

    def clean(self, job: Job) -> None:
        services.dataset_workspace(dataset_of(job)).clear()

    def keep(self, dataset: Dataset, name: str, content: bytes) -> None:
        with services.dataset_workspace(dataset).open_write(name) as stream:
            stream.write(content)

    def kept(self, dataset: Dataset, name: str) -> Any:
        with services.dataset_workspace(dataset).open_read(name) as stream:
            return json.loads(stream.read())

    def keep_sample(self, dataset: Dataset, table_format: Any) -> None:
        with dataset_open(dataset) as stream:
            sample = sample_read(stream, table_format)
        # Values are masked wherever a sample is shown, names are not.
        names_check(sample.columns)
        self.keep(dataset, "sample", sample.to_json())

    def names(self, dataset: Dataset, table_format: Any) -> list[str]:
        """The column names; empty where the file is broken near its head, which the check tells better."""
        with dataset_open(dataset) as stream:
            try:
                return sample_read(stream, table_format).columns
            except EngineError as error:
                if not error.code.startswith("table."):
                    raise
                return []


@job_kind(DETECT)
class Detect(DatasetJob):
    """Find out how the file is written, and keep its first rows for the preview."""

    def read_item(self, job: Job, key: str, tick: Tick) -> str:
        from techniques.tables import detect

        dataset = dataset_of(job)
        with dataset_open(dataset) as stream:
            found = detect(stream, tick=lambda share: tick(0.9 * share))
        tick(0.9)
        outcome: dict[str, Any] = {"format": found.model_dump(mode="json"), "sample": "sample", "problem": {}}
        try:
            self.keep_sample(dataset, found)
        except EngineError as error:
            if not error.code.startswith("table."):
                raise
            # The detection may be wrong, and a person can correct it: only the check refuses.
            params = services.plain_params(error)
            outcome |= {
                "sample": "",
                "problem": {"code": error.code, "message": error.message, "params": params},
            }
        self.keep(dataset, "outcome", json.dumps(outcome).encode())
        return ""

    def finish(self, job: Job) -> None:
        dataset = dataset_of(job)
        outcome = self.kept(dataset, "outcome")
        services.dataset_detected(
            dataset,
            found=outcome["format"],
            sample=outcome["sample"],
            problem=outcome["problem"],
            by=job.requested_by,
        )
        services.dataset_workspace(dataset).clear()


@job_kind(CHECK)
class Check(DatasetJob):
    """Pass over every row."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [
            ItemSpec("rows", gettext_noop("Check every row"), 19.0),
            ItemSpec("sample", gettext_noop("Keep the first rows for the preview"), 1.0),
        ]

    def read_item(self, job: Job, key: str, tick: Tick) -> str:
        dataset = dataset_of(job)
        table_format = dataset_format(dataset)
        if key == "sample":
            self.keep_sample(dataset, table_format)
            return ""
        from techniques.tables import check

        # Before the long way through the rows; at its end, with the sample, the names are looked at again.
        names_check(self.names(dataset, table_format))
        with dataset_open(dataset) as stream:
            profile = check(stream, table_format, tick)
        self.keep(dataset, "profile", profile.model_dump_json().encode())
        return dataset.sha256

    def finish(self, job: Job) -> None:
        dataset = dataset_of(job)
        profile = self.kept(dataset, "profile")
        services.dataset_checked(
            dataset,
            rows=profile["rows"],
            columns=[column["name"] for column in profile["columns"]],
            profile=profile,
            sample="sample",
            goes_on=bool(job.params.get("goes_on")),
            by=job.requested_by,
        )
        services.dataset_workspace(dataset).clear()


@job_kind(JOIN_CHECK)
class JoinCheck(JobKind):
    """Count for every link how many rows find their counterpart; a link is an item."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [
            ItemSpec(str(link.pk), gettext_noop("Check %(link)s"), params={"link": str(link)})
            for link in links_of(_project(job))
        ] or [ItemSpec("none", job.title)]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from techniques.tables.joins import column_parts, join_counts

        project = _project(job)
        datasets = current_datasets(project)
        link = next((one for one in links_of(project) if str(one.pk) == key), None)
        if link is None:
            return ""
        source, target = datasets.get(link.source_id), datasets.get(link.target_id)
        if source is None or target is None:
            return ""
        for dataset, column in ((source, link.source_column), (target, link.target_column)):
            if column not in dataset.columns:
                raise EngineError(
                    "link.no_column",
                    gettext_noop("Table “%(table)s” has no column called “%(column)s”."),
                    table=str(link.source if dataset == source else link.target),
                    column=column,
                )
        tick(0.0)
        with dataset_open(source) as here, dataset_open(target) as there:
            counts = join_counts(
                _ticking(column_parts(here, dataset_format(source), link.source_column), tick),
                _ticking(column_parts(there, dataset_format(target), link.target_column), tick),
            )
        found = {"counts": counts.as_dict(), "source": source.sha256, "target": target.sha256}
        _join_workspace(job).write_json(key, found)
        return ""

    def finish(self, job: Job) -> None:
        project, workspace = _project(job), _join_workspace(job)
        links = [str(link.pk) for link in links_of(project)]
        found = {link: workspace.read_json(link) for link in links if workspace.exists(link)}
        declaring.links_checked(project, found=found, by=job.requested_by)
        workspace.clear()

    def clean(self, job: Job) -> None:
        _join_workspace(job).clear()


def _project(job: Job) -> Project:
    assert job.project is not None
    return job.project


def _join_workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"join_check:{job.pk}")


def _ticking(parts: Iterator[Any], tick: Tick) -> Iterator[Any]:
    for part in parts:
        tick(0.5)
        yield part
