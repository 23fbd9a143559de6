"""What no code may break about the record of talks: what was written down stays, and a follow-up is closed once."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

_FINAL = ("UPDATE", "DELETE")

register(
    Trigger(
        "talk_is_final", "organisation_talk", _FINAL, "a talk is written down once, and corrected beside"
    ),
    Trigger(
        "talk_participant_is_final",
        "organisation_talkparticipant",
        _FINAL,
        "who took part in a talk is written down once",
    ),
    Trigger(
        "talk_project_is_final",
        "organisation_talkproject",
        _FINAL,
        "which projects a talk concerns is written down once",
    ),
    Trigger(
        "talk_correction_is_final",
        "organisation_talkcorrection",
        _FINAL,
        "a correction of a talk is written once",
    ),
    Trigger(
        "follow_up_stays",
        "organisation_followup",
        ("UPDATE",),
        "a follow-up stays as it was given, and what came of it as it was recorded",
        changed("id", "talk_id", "what", "owner_id", "due_on", "added_by_id", "added_at")
        + f" OR {exchanged('closed_by_id', 'closed_at')} OR {rewritten('result')}",
    ),
    Trigger(
        "follow_up_never_deleted",
        "organisation_followup",
        ("DELETE",),
        "a follow-up of a talk is closed, never deleted",
    ),
)
