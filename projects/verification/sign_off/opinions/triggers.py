"""What no code may break about outside reviews of usefulness."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged

_QUESTION = changed(
    "id", "project_id", "verification_id", "assessor_id", "question", "asked_by_id", "asked_at"
)

register(
    Trigger(
        "opinion_asked_of_an_assessor",
        "verification_utilityopinion",
        ("INSERT",),
        "an external assessor is asked about a result, and answers later",
        "NEW.verdict <> '' OR NOT EXISTS (SELECT 1 FROM accounts_user u WHERE u.id = NEW.assessor_id AND u.post = 'assessor')",
    ),
    Trigger(
        "opinion_stays_as_given",
        "verification_utilityopinion",
        ("UPDATE",),
        "what an assessor was asked and has answered stays",
        f"{_QUESTION} OR {exchanged('answered_at')} OR (OLD.verdict <> '' AND {changed('verdict', 'reason')})",
    ),
    Trigger(
        "opinion_never_deleted",
        "verification_utilityopinion",
        ("DELETE",),
        "what an assessor said is kept",
    ),
)
