"""Reading data sets."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, BinaryIO

from django.db.models import QuerySet

from projects.core.models import Project

from .models import Dataset
from .store.sealed import damaged
from .store.store import store_open

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat


def datasets_of(project: Project) -> QuerySet[Dataset]:
    """Every file that was ever uploaded to the project, youngest first, refused ones included."""
    return Dataset.objects.filter(project=project).select_related(
        "uploaded_by", "stored", "sample", "project", "table__project"
    )


def dataset_get(project: Project, dataset_id: uuid.UUID) -> Dataset:
    return datasets_of(project).get(pk=dataset_id)


def dataset_columns(dataset: Dataset) -> list[str]:
    """Column names in the file's order; empty until the data set was checked."""
    return list(dataset.columns)


def dataset_open(dataset: Dataset) -> BinaryIO:
    """The plaintext as a seekable stream, decrypted piece by piece while it is read.

    ``EngineError`` (``store.damaged``) when the row does not belong to its file, when a piece was altered,
    or when what was read from the first byte to the last has not the SHA-256 that was taken on arrival.
    """
    stored = dataset.stored
    if (stored.sha256, stored.size) != (dataset.sha256, dataset.size):
        raise damaged(stored)
    return store_open(stored, whole=True)


def dataset_format(dataset: Dataset) -> FileFormat:
    """The confirmed (before that: the detected) format."""
    from techniques.tables.formats import FileFormat

    return FileFormat.model_validate(dataset.format)
