"""What no code may break about documents of outside assessments: the assessor keeps one, once, while the order lasts."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

register(
    Trigger(
        "assessment_document_by_the_assessor",
        "findings_assessmentdocument",
        ("INSERT",),
        "the document of an assessment is kept by who has the order, and is the file that was received",
        "NOT EXISTS (SELECT 1 FROM core_assessmentorder o WHERE o.id = NEW.order_id AND o.assessor_id = NEW.kept_by_id "
        "AND o.ended_at IS NULL) OR NOT EXISTS (SELECT 1 FROM datasets_storedfile f WHERE f.id = NEW.stored_id "
        "AND f.sha256 = NEW.sha256)",
    ),
    Trigger(
        "assessment_document_is_final",
        "findings_assessmentdocument",
        ("UPDATE", "DELETE"),
        "the document of an assessment is kept once",
    ),
)
