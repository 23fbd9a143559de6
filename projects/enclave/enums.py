"""Vocabulary of queries in the enclave."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


class QueryState(models.TextChoices):
    """What became of a query in the enclave."""

    RUNNING = "running", _("Running")
    ANSWERED = "answered", _("Answered")
    FAILED = "failed", _("Not answered")


NOT_ANSWERED: dict[str, Any] = {
    "enclave.statement": _("A query is a single SELECT; nothing else can be run."),
    "enclave.name": _("Only the released tables can be read, with functions that compute."),
    "enclave.sql": _("DuckDB cannot run this query."),
    "enclave.time": _("The query took longer than is possible here."),
    "enclave.memory": _("The query or the released tables need more memory than there is for a query."),
    "enclave.columns": _("The result has more columns than can be shown."),
}
"""What the sandbox found wrong with a query, in words that say nothing of its text."""
