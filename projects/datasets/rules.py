"""Who may bring data in, confirm it, and look at it unmasked."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state, may_act_in
from projects.jobs.selectors import latest_job
from projects.workflow import Role, State

from .enums import DETECT, DatasetStatus
from .models import Dataset
from .selectors import current_dataset


class DatasetReason(Reason):
    BEING_CHECKED = (
        "dataset_being_checked",
        _("The data set is being checked; wait for the end or cancel the job."),
    )
    NOT_TO_CONFIRM = "dataset_not_to_confirm", _("Only a newly uploaded file's format can be confirmed.")
    REPLACED = "dataset_replaced", _("A younger upload has replaced this data set.")
    BEING_DETECTED = "dataset_being_detected", _("The format of the file is still being detected.")
    NO_FORMAT = "dataset_no_format", _("The format was not detected; choose it.")
    NO_CONTENT = "dataset_no_content", _("There is no content to look at.")


def may_upload(user: Any, project: Project) -> Verdict:
    """The executor, while identifiers are being identified: that is, after the plan was approved."""
    verdict = may_act_in(user, project, State.IDENTIFICATION)
    if verdict:
        current = current_dataset(project)
        if current is not None and current.status == DatasetStatus.CHECKING:
            return deny(DatasetReason.BEING_CHECKED)
    return verdict


def may_confirm(user: Any, dataset: Dataset) -> Verdict:
    verdict = may_act_in(user, dataset.project, State.IDENTIFICATION)
    if not verdict:
        return verdict
    if dataset.status == DatasetStatus.CHECKING:
        return deny(DatasetReason.BEING_CHECKED)
    if dataset.status != DatasetStatus.UPLOADED:
        return deny(DatasetReason.NOT_TO_CONFIRM)
    current = current_dataset(dataset.project)
    if current is None or current.pk != dataset.pk:
        return deny(DatasetReason.REPLACED)
    detecting = latest_job(dataset.project, DETECT, dataset.pk)
    if detecting is not None and detecting.is_active:
        return deny(DatasetReason.BEING_DETECTED)
    return ALLOW


def may_look_raw(user: Any, dataset: Dataset) -> Verdict:
    """The executor, while working on the data; always with a reason, which the service demands."""
    verdict = first_denial(
        has_role(user, dataset.project, Role.EXECUTOR),
        in_state(dataset.project, State.IDENTIFICATION, State.PROCESSING),
    )
    if verdict and (dataset.sample is None or dataset.status == DatasetStatus.REFUSED):
        return deny(DatasetReason.NO_CONTENT)
    return verdict
