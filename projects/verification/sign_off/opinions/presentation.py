"""What is said of outside reviews of usefulness: on their page, where the result is signed, and in the report."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from ...models import Verification
from .models import Fitness, UtilityOpinion
from .selectors import Said

TONES = {Fitness.FIT.value: "info", Fitness.LIMITED.value: "warn", Fitness.UNFIT.value: "fail", "": "unknown"}


def opinion_text(opinion: Said) -> str:
    """What one assessor has said of the result, or that they were asked."""
    if not opinion.verdict:
        text = _(
            "%(assessor)s, an external assessor, was asked whether the result is of use and has not answered"
        )
        return text % {"assessor": opinion.assessor}
    text = _("External assessor %(assessor)s on the use of the result: %(verdict)s. %(reason)s")
    return text % {
        "assessor": opinion.assessor,
        "verdict": Fitness(opinion.verdict).label,
        "reason": opinion.reason,
    }


def opinion_row(opinion: UtilityOpinion, current: Verification | None) -> dict[str, Any]:
    """One row of the page; ``is_current``: it is about the result that counts now."""
    return {
        "opinion": opinion,
        "tone": {"info": "ok", "unknown": "neutral"}.get(TONES[opinion.verdict], TONES[opinion.verdict]),
        "word": opinion.get_verdict_display() or _("Not answered yet"),
        "is_current": current is not None and current.pk == opinion.verification_id,
    }
