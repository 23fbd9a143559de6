"""Who may bring data in, confirm it, and look at it unmasked."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state, may_act_in
from projects.jobs.selectors import latest_job
from projects.workflow import Role, State

from .enums import DETECT, JOIN_CHECK, DatasetStatus
from .models import Dataset, Table
from .tables.selectors import dataset_now, datasets_now, links_of, tables_of


class DatasetReason(Reason):
    BEING_CHECKED = (
        "dataset_being_checked",
        _("The data set is being checked; wait until this finishes or cancel the job."),
    )
    NOT_TO_CONFIRM = "dataset_not_to_confirm", _("Only the format of a newly uploaded file can be confirmed.")
    REPLACED = "dataset_replaced", _("A later upload has replaced this data set.")
    BEING_DETECTED = "dataset_being_detected", _("The format of the file is still being detected.")
    NO_FORMAT = "dataset_no_format", _("The format was not detected; choose it.")
    TABLE_REMOVED = "dataset_table_removed", _("This table is no longer part of the project.")
    TABLES_BEING_CHECKED = (
        "dataset_tables_being_checked",
        _("A data set or the links are being checked; wait until this finishes or cancel the job."),
    )
    NOTHING_TO_JOIN = (
        "dataset_nothing_to_join",
        _(
            "A link can be checked once every table has a data set that was checked to its last row and a link has been declared."
        ),
    )
    NO_CONTENT = "dataset_no_content", _("There is no content to view.")
    CONTENT_DESTROYED = (
        "content_destroyed",
        _("The data that this needs were destroyed when the project had ended."),
    )


def _may_bring(user: Person, project: Project, population: bool) -> Verdict:
    """The executor, while identifiers are being identified; a population table also while a release is monitored, for others' data
    may become known later (5.6.2)."""
    verdict = may_act_in(user, project, State.IDENTIFICATION)
    if verdict or not population:
        return verdict
    monitored = first_denial(has_role(user, project, Role.EXECUTOR), in_state(project, State.MONITORING))
    return ALLOW if monitored else verdict


def may_upload(user: Person, table: Table, *, population: bool = False) -> Verdict:
    """The executor, while identifiers are being identified: that is, after the plan was approved; see :func:`_may_bring`."""
    verdict = _may_bring(user, table.project, population)
    if verdict:
        if table not in tables_of(table.project):
            return deny(DatasetReason.TABLE_REMOVED)
        current = dataset_now(table, population=population)
        if current is not None and current.status == DatasetStatus.CHECKING:
            return deny(DatasetReason.BEING_CHECKED)
    return verdict


def may_declare_tables(user: Person, project: Project) -> Verdict:
    """As uploading: the executor, while identifiers are being identified."""
    return may_act_in(user, project, State.IDENTIFICATION)


def may_check_links(user: Person, project: Project) -> Verdict:
    verdict = may_declare_tables(user, project)
    if not verdict:
        return verdict
    if not links_of(project) or not all(d is not None and d.is_ready for _t, d in datasets_now(project)):
        return deny(DatasetReason.NOTHING_TO_JOIN)
    checking = latest_job(project, JOIN_CHECK)
    return deny(DatasetReason.TABLES_BEING_CHECKED) if checking is not None and checking.is_active else ALLOW


def may_confirm(user: Person, dataset: Dataset) -> Verdict:
    verdict = _may_bring(user, dataset.project, dataset.population)
    if not verdict:
        return verdict
    if dataset.status == DatasetStatus.CHECKING:
        return deny(DatasetReason.BEING_CHECKED)
    if dataset.status != DatasetStatus.UPLOADED:
        return deny(DatasetReason.NOT_TO_CONFIRM)
    current = dataset_now(dataset.table, population=dataset.population)
    if current is None or current.pk != dataset.pk:
        return deny(DatasetReason.REPLACED)
    detecting = latest_job(dataset.project, DETECT, dataset.pk)
    if detecting is not None and detecting.is_active:
        return deny(DatasetReason.BEING_DETECTED)
    return ALLOW


def may_preview(dataset: Dataset) -> Verdict:
    """For who sees the project: the masked first rows, until they were destroyed."""
    destroyed = dataset.sample is not None and dataset.sample.destroyed_at is not None
    return deny(DatasetReason.CONTENT_DESTROYED) if destroyed else ALLOW


def may_look_raw(user: Person, dataset: Dataset) -> Verdict:
    """The executor, while working on the data; always with a reason, which the service demands."""
    verdict = first_denial(
        has_role(user, dataset.project, Role.EXECUTOR),
        in_state(dataset.project, State.IDENTIFICATION, State.PROCESSING),
    )
    if verdict and (dataset.sample is None or dataset.status == DatasetStatus.REFUSED):
        return deny(DatasetReason.NO_CONTENT)
    return verdict
