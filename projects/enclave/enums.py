"""Vocabulary of queries in the enclave."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.governance.verdict import Reason


class QueryState(models.TextChoices):
    """What became of a query in the enclave."""

    RUNNING = "running", _("Running")
    ANSWERED = "answered", _("Answered")
    FAILED = "failed", _("Not answered")


class QueryFault(Reason):
    """What the sandbox found wrong with a query, in words that say nothing of its text."""

    STATEMENT = "enclave_statement", _("A query is a single SELECT; nothing else can be run.")
    NAME = "enclave_name", _("Only the released tables can be read, with functions that compute.")
    SQL = "enclave_sql", _("DuckDB cannot run this query.")
    TIME = "enclave_time", _("The query took longer than is possible here.")
    MEMORY = (
        "enclave_memory",
        _("The query or the released tables need more memory than there is for a query."),
    )
    ENDED = (
        "enclave_ended",
        _("The query broke off without an answer; it may need more memory than there is for a query."),
    )
    COLUMNS = "enclave_columns", _("The result has more columns than can be shown.")
