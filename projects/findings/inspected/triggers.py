"""What no code may break about samples of a result: the draw stays, a supervisor reports once, and what was found is a finding."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, rewritten

_SAMPLE = "findings_resultsample"
_DRAWN = changed(
    "id", "project_id", "run_id", "number", "of_table", "sha256", "seed", "drawn_by_id", "drawn_at"
)
_ONCE = exchanged("asked", "population", "size", "looked_at", "found", "reported_by_id", "reported_at")
_NO_SUPERVISOR = (
    "NOT EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'supervisor' "
    "AND m.ended_at IS NULL AND m.user_id = {who})"
)

register(
    Trigger(
        "result_sample_by_a_supervisor",
        _SAMPLE,
        ("INSERT",),
        "a supervisor of the project has records of a result of a run of it drawn, and they are read later",
        f"NEW.outcome <> 'reading' OR {_NO_SUPERVISOR.format(who='NEW.drawn_by_id')} OR NOT EXISTS (SELECT 1 FROM "
        "processing_runtable t JOIN processing_run r ON r.id = t.run_id WHERE t.run_id = NEW.run_id "
        "AND t.name = NEW.of_table AND t.result_sha256 = NEW.sha256 AND r.project_id = NEW.project_id)",
    ),
    Trigger(
        "result_sample_stays_as_drawn",
        _SAMPLE,
        ("UPDATE",),
        "a sample of a result stays as it was drawn and reported on",
        f"{_DRAWN} OR {_ONCE} OR (OLD.asked IS NULL AND NEW.asked IS NOT NULL) OR {rewritten('unit', 'remark')} "
        f"OR (OLD.outcome = 'open' AND NEW.outcome NOT IN ('open', 'nothing', 'found')) "
        f"OR (OLD.outcome IN ('nothing', 'found', 'failed') AND ({changed('outcome', 'looked', 'is_cut', 'pages_seen')}))",
    ),
    Trigger(
        "result_sample_reported_by_a_supervisor",
        _SAMPLE,
        ("UPDATE",),
        "a supervisor of the project reports on a sample of a result",
        "OLD.reported_by_id IS NULL AND NEW.reported_by_id IS NOT NULL AND "
        + _NO_SUPERVISOR.format(who="NEW.reported_by_id"),
    ),
    Trigger(
        "result_sample_never_deleted",
        _SAMPLE,
        ("DELETE",),
        "a sample of a result that was drawn stays drawn",
    ),
    Trigger(
        "result_deviation_has_its_finding",
        "findings_resultdeviation",
        ("INSERT",),
        "what was found in a sample of a result becomes a finding of the project",
        "NOT EXISTS (SELECT 1 FROM findings_finding f WHERE f.id = NEW.ticket_id AND f.source = 'result' "
        "AND f.origin_id = NEW.sample_id)",
    ),
    Trigger(
        "result_deviation_is_final",
        "findings_resultdeviation",
        ("UPDATE", "DELETE"),
        "what was found in a sample of a result is written once",
    ),
)
