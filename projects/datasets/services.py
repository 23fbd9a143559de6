"""The only writer of data sets.

Upload → the format is detected by a job → a person confirms or corrects it → a job checks every row →
ready, or refused whole. A refused file keeps its row, its content is destroyed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any, BinaryIO

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.rules import CoreReason
from projects.core.services import project_lock
from projects.jobs.services import job_about
from techniques.core.messages import EngineError, gettext_noop

from . import events, rules
from .enums import CHECK, DETECT, DatasetStatus
from .models import Dataset, StoredFile, Table
from .samples import RAW_ROWS, Sample, sample_of
from .store.store import EncryptedWorkspace, store_destroy, store_remove, store_write
from .tables.selectors import dataset_now
from .tables.services import links_check
from .upload.file_names import display_name

# Called inside the transaction that makes a data set ready with (data set, who confirmed it), where that person let the work go on.
_followers: list[Callable[[Dataset, Person], None]] = []


def goes_on_with(function: Callable[[Dataset, Person], None]) -> Callable[[Dataset, Person], None]:
    """Subscribe to what a person lets go on by itself once their data set is ready."""
    if function not in _followers:
        _followers.append(function)
    return function


def dataset_workspace(dataset: Dataset) -> EncryptedWorkspace:
    """Where the jobs about a data set keep what they found until it is committed."""
    return EncryptedWorkspace(f"dataset:{dataset.pk}")


def dataset_upload(
    table: Table, *, content: StoredFile | BinaryIO, name: str, by: Person, population: bool = False
) -> Dataset:
    """Make a data set of a file: one that lies in the store already, or a stream that is copied into it.

    ``population``: it is the table's population table, and replaces the one before. Of a project's data it is no part.

    Starts the job that detects its format. A file that is not taken leaves nothing in the store.
    """
    rules.may_upload(by, table, population=population).require()
    if isinstance(content, StoredFile):
        stored = content
    else:
        with store_write("dataset") as writer:
            shutil.copyfileobj(content, writer, 1024 * 1024)
        stored = writer.stored
    try:
        return _dataset_create(table, stored, display_name(name), by, population)
    except BaseException:
        store_remove(stored)
        raise


def _dataset_create(table: Table, stored: StoredFile, name: str, by: Person, population: bool) -> Dataset:
    with recording(events.DATASET_UPLOADED, by=by, project_id=table.project_id, size=stored.size) as event:
        table.project = project = project_lock(table.project)
        rules.may_upload(by, table, population=population).require()
        previous = dataset_now(table, population=population)
        dataset = Dataset(
            project=project,
            table=table,
            population=population,
            name=name,
            stored=stored,
            size=stored.size,
            sha256=stored.sha256,
            uploaded_by=by,
            replaces=previous,
        )
        dataset.save(force_insert=True)
        event.subject = dataset.subject
        event.facts["replaces"] = str(previous.pk) if previous else ""
        if not table.is_first:
            event.facts["table"] = table.name
        if population:
            event.facts["population"] = True
        job_about(dataset, DETECT, title=gettext_noop("Detecting the format of the file"), by=by)
        return dataset


def dataset_detected(
    dataset: Dataset, *, found: dict[str, Any], sample: str, problem: dict[str, Any], by: Person
) -> Dataset:
    """The detecting job's end: ``found`` is the format, ``sample`` the name in the workspace.

    ``sample`` may be empty and ``problem`` say why: then the format is probably not the right one, and
    a person decides; only the check refuses a file.
    """
    with recording(events.DATASET_DETECTED, by=by, about=dataset, **format_facts(found)):
        dataset = _lock(dataset)
        if dataset.status == DatasetStatus.UPLOADED:
            dataset.format, dataset.preview_problem = found, problem
            dataset.save()
            if sample:
                _sample_take(dataset, sample)
        return dataset


def dataset_confirm(
    dataset: Dataset, *, chosen: dict[str, Any] | None = None, goes_on: bool = False, by: Person
) -> Dataset:
    """Confirm the detected format, or ``chosen`` instead (fields of ``FileFormat``), and start the check.

    ``goes_on``: what comes after the check, the scan, starts by itself then.
    ``EngineError`` when the format is none that exists.
    """
    with recording(events.DATASET_CONFIRMED, by=by, about=dataset) as event:
        dataset = _lock(dataset)
        rules.may_confirm(by, dataset).require()
        if chosen is None and not dataset.format:
            deny(rules.DatasetReason.NO_FORMAT).require()
        dataset.format = format_validated(dataset.format if chosen is None else chosen)
        event.facts.update(format_facts(dataset.format))
        dataset.status = DatasetStatus.CHECKING
        dataset.confirmed_by, dataset.confirmed_at = by, timezone.now()
        dataset.save()
        title = gettext_noop("Checking every row of the data set")
        job_about(dataset, CHECK, title=title, params={"goes_on": True} if goes_on else None, by=by)
        return dataset


def dataset_checked(
    dataset: Dataset,
    *,
    rows: int,
    columns: list[str],
    profile: dict[str, Any],
    sample: str,
    goes_on: bool = False,
    by: Person,
) -> Dataset:
    """The checking job's end: the data set is ready."""
    with recording(events.DATASET_READY, by=by, about=dataset, rows=rows, columns=len(columns)):
        dataset = _lock(dataset)
        if dataset.status != DatasetStatus.CHECKING:
            deny(rules.DatasetReason.NOT_TO_CONFIRM).require()
        dataset.rows, dataset.columns, dataset.profile = rows, columns, profile
        dataset.status, dataset.preview_problem = DatasetStatus.READY, {}
        _sample_take(dataset, sample)
        if not dataset.population and rules.may_check_links(by, dataset.project):
            links_check(dataset.project, by=by)
        if goes_on and not dataset.population:
            for follower in _followers:
                follower(dataset, by)
        return dataset


def dataset_refuse(dataset: Dataset, *, error: EngineError, by: Person) -> Dataset:
    """Refuse a broken file whole: what, where and how to correct it stay on record, the content does not."""
    params = plain_params(error)
    facts: dict[str, Any] = {
        "code": error.code,
        **{key: params[key] for key in ("line", "column") if key in params},
    }
    with recording(events.DATASET_REFUSED, by=by, about=dataset, **facts):
        dataset = _lock(dataset)
        sample, dataset.sample = dataset.sample, None
        dataset.status = DatasetStatus.REFUSED
        dataset.refused_code, dataset.refused_message = error.code, error.message
        dataset.refused_params = params
        dataset.save()
        if sample is not None:
            store_remove(sample)
        store_destroy(dataset.stored)
        return dataset


def dataset_reopen(dataset: Dataset, *, by: Person) -> Dataset:
    """A check was cancelled or broke down through no fault of the file: the format may be confirmed again."""
    with recording(events.DATASET_REOPENED, by=by, about=dataset):
        dataset = _lock(dataset)
        if dataset.status == DatasetStatus.CHECKING:
            dataset.status = DatasetStatus.UPLOADED
            dataset.confirmed_by = dataset.confirmed_at = None
            dataset.save()
        return dataset


def dataset_look_raw(dataset: Dataset, *, reason: str, by: Person) -> Sample:
    """The first rows unmasked, once. The audit event keeps who, why and how many rows, never a value."""
    with recording(events.DATASET_RAW_LOOK, by=by, about=dataset, reason=reason.strip()) as event:
        dataset = _lock(dataset)
        rules.may_look_raw(by, dataset).require()
        if not reason.strip():
            deny(CoreReason.REASON_NEEDED).require()
        sample = sample_of(dataset)
        if sample is None:
            deny(rules.DatasetReason.NO_CONTENT).require()
            raise AssertionError
        shown = sample.head(RAW_ROWS)
        event.facts["rows"] = len(shown.rows)
        return shown


def format_validated(values: dict[str, Any]) -> dict[str, Any]:
    """``values`` as the JSON of a ``FileFormat``; ``EngineError`` without the values when it is none."""
    from pydantic import ValidationError

    from techniques.tables.formats import FileFormat

    wrong: set[str] = set()
    try:
        found = FileFormat.model_validate(values)
        # In the portal nobody makes values vanish by calling them missing: no reviewer would see which.
        wrong = {"missing"} if found.missing else wrong
    except ValidationError as error:
        wrong = {str(part["loc"][0]) if part["loc"] else "format" for part in error.errors()}
    if wrong:
        text = gettext_noop("This is no valid description of a table file; look at: %(fields)s.")
        raise EngineError("dataset.format", text, fields=", ".join(sorted(wrong)))
    return found.model_dump(mode="json")


def format_facts(values: dict[str, Any]) -> dict[str, Any]:
    """The part of a format that belongs in the audit log."""
    facts = {"kind": values.get("kind", "")}
    if values.get("kind") == "csv":
        facts |= {key: values.get(key) for key in ("encoding", "delimiter", "header")}
    return facts


def _lock(dataset: Dataset) -> Dataset:
    rows = Dataset.objects.select_for_update(of=("self",))
    return rows.select_related("project", "stored", "sample", "table").get(pk=dataset.pk)


def _sample_take(dataset: Dataset, name: str) -> None:
    """Make the workspace's file the data set's sample, in place of an earlier one, and save."""
    earlier = dataset.sample
    dataset.sample = dataset_workspace(dataset).adopt(name, "sample")
    dataset.save()
    if earlier is not None:
        store_remove(earlier)


def plain_params(error: EngineError) -> dict[str, Any]:
    """The parameters of an error as JSON holds them."""
    return {
        key: value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
        for key, value in error.params.items()
    }
