"""How a request is drawn."""

from __future__ import annotations

from typing import Any

from .enums import ReversalStatus
from .models import ReversalRequest

TONES = {
    ReversalStatus.WAITING: "warn",
    ReversalStatus.REFUSED: "fail",
    ReversalStatus.LAPSED: "neutral",
    ReversalStatus.RUNNING: "info",
    ReversalStatus.READY: "ok",
    ReversalStatus.FAILED: "fail",
    ReversalStatus.ENDED: "neutral",
}


def request_row(request: ReversalRequest) -> dict[str, Any]:
    """The request with the tone and the words of its state; a time that is over is said at once."""
    status = ReversalStatus(request.status)
    if status == ReversalStatus.READY and request.is_over:
        status = ReversalStatus.ENDED
    return {"request": request, "tone": TONES[status], "word": status.label}
