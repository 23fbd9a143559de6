"""Evidence that datasets answers for."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.evidence import Missing, provides
from projects.core.models import Project
from projects.workflow import Evidence

from .enums import DatasetStatus
from .selectors import current_dataset


@provides(Evidence.DATASET_READY)
def dataset_ready(project: Project) -> Missing:
    """The current data set was checked to its last row."""
    dataset = current_dataset(project)
    if dataset is None:
        return [_("A data set (upload a file)")]
    if dataset.status == DatasetStatus.UPLOADED:
        return [_("The confirmation of the uploaded file's format")]
    if dataset.status == DatasetStatus.CHECKING:
        return [_("The end of the check over every row of the data set")]
    return []
