"""Requests to fetch and fetches in rows: for the pages, the API and the slip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from approvals.documents.models import Document
from approvals.documents.selectors import documents_of_project

from .enums import SLIP, FetchState
from .models import Fetch, FetchRequest

TONES = {
    FetchState.WAITING: "warn",
    FetchState.APPROVED: "ok",
    FetchState.FETCHED: "neutral",
    FetchState.OVER: "neutral",
    FetchState.LAPSED: "warn",
    FetchState.REFUSED: "fail",
}


def request_row(request: FetchRequest) -> dict[str, Any]:
    """With its decision and the tone and words of its state."""
    state = request.state
    return {
        "found": request, "decision": request.decided, "state": state, "tone": TONES[state], "word": state.label
    }  # fmt: skip


def fetch_rows(fetches: Iterable[Fetch]) -> list[dict[str, Any]]:
    """Each with its slips, read for all of them at once."""
    found = list(fetches)
    slips = slips_of(found)
    return [{"fetch": one, "slips": slips.get(str(one.pk), [])} for one in found]


def slips_of(fetches: Iterable[Fetch]) -> dict[str, list[Document]]:
    """The slips that were printed, by fetch; those of one project."""
    found = list(fetches)
    if not found:
        return {}
    printed: dict[str, list[Document]] = {}
    slips = documents_of_project(found[0].project_id).filter(kind=SLIP)
    for slip in slips.filter(subject_id__in=[str(one.pk) for one in found]):
        printed.setdefault(slip.subject_id, []).append(slip)
    return printed
