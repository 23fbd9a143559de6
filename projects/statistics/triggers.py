"""What no code may break about a table of statistics: others than its maker let it out, and what was judged stays as it was."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, where_named


def _has_role(column: str, *roles: str) -> str:
    named = ", ".join(f"'{one}'" for one in roles)
    return (
        "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
        f"AND m.role IN ({named}) AND m.user_id = NEW.{column})"
    )


_MADE = changed(
    "id",
    "project_id",
    "number",
    "title",
    "person_key",
    "purpose",
    "definition",
    "rules_id",
    "rules_name",
    "made_by_id",
    "made_at",
)
_SOURCE = exchanged("dataset_id", "imported_id", "run_table_id", "report_id", "result_id")
_SAID = exchanged("reviewed_by_id", "reviewed_at", "signed_by_id", "signed_at", "refused_by_id", "refused_at")
_STEPS = " OR ".join(
    f"(OLD.status = '{old}' AND NEW.status IN ({', '.join(repr(one) for one in new)}))"
    for old, new in (
        ("running", ("open", "failed", "protected")),
        ("protected", ("reviewed", "refused")),
        ("reviewed", ("approved", "refused")),
        ("approved", ("refused",)),
    )
)

register(
    *(
        trigger
        for column in ("reviewed_by_id", "signed_by_id", "refused_by_id")
        for trigger in where_named(
            f"tabulation_{column.removesuffix('_by_id')}_not_by_own_person",
            "statistics_tabulation",
            "nobody judges a table that they made under another account",
            f"NEW.{column} IS NOT NULL AND {linked_accounts(f'NEW.{column}', 'NEW.made_by_id')}",
            f"OLD.{column} IS NULL",
        )
    ),
    *where_named(
        "tabulation_two_judges",
        "statistics_tabulation",
        "who signs a table has not reviewed it under another account",
        linked_accounts("NEW.signed_by_id", "NEW.reviewed_by_id"),
        "OLD.signed_by_id IS NULL",
    ),
    Trigger(
        "tabulation_judged_by_judges",
        "statistics_tabulation",
        ("INSERT", "UPDATE"),
        "a supervisor of the project reviews a table, senior management signs it, one of them refuses it",
        f"(NEW.reviewed_by_id IS NOT NULL AND NOT {_has_role('reviewed_by_id', 'supervisor')}) OR "
        f"(NEW.signed_by_id IS NOT NULL AND NOT {_has_role('signed_by_id', 'management')}) OR "
        f"(NEW.refused_by_id IS NOT NULL AND NOT {_has_role('refused_by_id', 'supervisor', 'management')})",
    ),
    Trigger(
        "tabulation_requested_in_an_enclave",
        "statistics_tabulation",
        ("INSERT",),
        "only a recipient of an enclave asks for a table of the released rows",
        f"NEW.run_table_id IS NOT NULL AND NOT ({_has_role('made_by_id', 'recipient')} "
        "AND EXISTS (SELECT 1 FROM core_project p WHERE p.id = NEW.project_id AND p.sharing_type = 'enclave'))",
    ),
    Trigger(
        "tabulation_is_final",
        "statistics_tabulation",
        ("UPDATE",),
        "what a table is made of, what came of it and what was said of it stays as it is",
        f"{_MADE} OR {_SOURCE} OR {_SAID} "
        f"OR {rewritten('result_sha256', 'reviewed_reason', 'signed_reason', 'refused_reason', 'failed_code')} "
        f"OR NOT ({_STEPS})",
    ),
    Trigger(
        "tabulation_stays", "statistics_tabulation", ("DELETE",), "a table of statistics is never deleted"
    ),
)
