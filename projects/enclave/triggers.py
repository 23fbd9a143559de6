"""What no code may break about a query in the enclave: a recipient of it asks, and what was asked and found stays as it is."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed

register(
    Trigger(
        "enclave_query_by_a_recipient",
        "enclave_enclavequery",
        ("INSERT",),
        "only a recipient of an enclave queries what was released there",
        "NOT (EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'recipient' "
        "AND m.user_id = NEW.asked_by_id AND m.ended_at IS NULL) "
        "AND EXISTS (SELECT 1 FROM core_project p WHERE p.id = NEW.project_id AND p.sharing_type = 'enclave') "
        "AND EXISTS (SELECT 1 FROM releases_release r WHERE r.id = NEW.release_id AND r.project_id = NEW.project_id))",
    ),
    Trigger(
        "enclave_query_is_final",
        "enclave_enclavequery",
        ("UPDATE",),
        "what was asked in the enclave and what came of it stays as it is",
        f"{changed('id', 'project_id', 'release_id', 'number', 'statement_id', 'purpose', 'asked_by_id', 'asked_at', 'kept_until')} "
        "OR OLD.status <> 'running' OR NEW.status NOT IN ('answered', 'failed')",
    ),
    Trigger(
        "enclave_query_stays",
        "enclave_enclavequery",
        ("DELETE",),
        "a query in the enclave is never deleted",
    ),
)
