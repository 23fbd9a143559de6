"""Queries in the enclave as pages and API show them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.audit.registry import fact_text

from .enums import QueryState
from .models import EnclaveQuery

TONES = {QueryState.RUNNING: "info", QueryState.ANSWERED: "ok", QueryState.FAILED: "fail"}


def query_row(query: EnclaveQuery) -> dict[str, Any]:
    status = QueryState(query.status)
    return {
        "query": query,
        "tone": TONES[status],
        "word": status.label,
        "why": failure_text(query.failed_code),
        "tables": _(", ").join(query.tables),
        "is_shown": query.result is not None and query.result.destroyed_at is None,
        "hash": query.statement.sha256,
    }


def query_rows(queries: Any) -> list[dict[str, Any]]:
    return [query_row(one) for one in queries]


def failure_text(code: str) -> str:
    """Why there is no answer, in words."""
    return fact_text("code", code) if code else ""
