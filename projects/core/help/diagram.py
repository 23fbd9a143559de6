"""The process as text and picture, made from the tables of ``projects.workflow`` and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from projects import workflow
from projects.workflow import Evidence, MoveRule, Stage, State


def drawn_moves() -> list[tuple[MoveRule, State, State]]:
    """Each (rule, source, target) that the picture draws; moves from nearly everywhere are named in words."""
    return [
        (rule, source, rule.target)
        for rule in workflow.MOVES.values()
        if not rule.anywhere and rule.target is not None
        for source in rule.sources
    ]


def move_rows() -> list[dict[str, Any]]:
    """The table of moves for the help page."""
    return [
        {
            "label": rule.move.label,
            "sources": [source.label for source in rule.sources],
            "target": rule.target.label if rule.target else _("where it was suspended"),
            "roles": [role.label for role in rule.roles],
            "requires": [evidence.label for evidence in rule.requires if evidence not in _earlier(rule)],
            "carries": bool(_earlier(rule) & set(rule.requires)),
            "notifies": [role.label for role in rule.notifies],
            "reason": rule.needs_reason,
            "judged": rule.judged,
            "anywhere": rule.anywhere,
        }
        for rule in workflow.MOVES.values()
    ]


def _earlier(rule: MoveRule) -> set[Evidence]:
    """What the moves into the sources of ``rule`` required already."""
    return {e for into in workflow.MOVES.values() if into.target in rule.sources for e in into.requires}


def state_rows() -> list[dict[str, Any]]:
    return [
        {"label": row.state.label, "stage": row.stage.label, "owner": row.owner.label if row.owner else ""}
        for row in workflow.STATES.values()
    ]


def _row(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _table(head: str, rows: Iterable[Iterable[Any]]) -> str:
    names = head.split(" | ")
    return "\n".join([_row(names), _row("---" for _name in names), *(_row(row) for row in rows)])


def _mermaid() -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    direction LR"]
    for stage in (*workflow.STAGES, Stage.CLOSED):
        lines.append(f'    state "{stage.label}" as {stage.value}_stage {{')
        lines += [f'        state "{state.label}" as {state.value}' for state in workflow.stage_states(stage)]
        lines.append("    }")
    lines.append(f"    [*] --> {State.OBJECTIVE_DRAFT.value}")
    lines += [f"    {a.value} --> {b.value}: {rule.move.label}" for rule, a, b in drawn_moves()]
    lines += [f"    {state.value} --> [*]" for state in State if state in workflow.TERMINAL]
    return "\n".join([*lines, "```"])


def markdown() -> str:
    """``docs/reference/workflow.md``, in English."""
    with override("en"):
        states = [
            [f"`{row.state.value}`", row.state.label, row.stage.label, row.owner.label if row.owner else "–"]
            for row in workflow.STATES.values()
        ]
        moves = [_move_cells(rule) for rule in workflow.MOVES.values()]
        evidence = [[f"`{one.value}`", one.label, one.role.label] for one in Evidence]
        return f"""\
# The process

Generated from `projects/workflow/` by `manage.py workflow_diagram`; do not edit.
`manage.py workflow_diagram --check` fails where this file and the tables differ.

{_mermaid()}

Not drawn: `withdraw` leads from every state before the release ({", ".join(workflow.BEFORE_RELEASE)}) to `withdrawn`; \
`suspend` from those and from `monitoring` to `suspended`; `resume` leads back to where the project was suspended.

## States

A state has exactly one owner: the role that has to act.

{_table("State | Name | Stage | Owner", states)}

## Moves

“By judgement” moves are the outcome of a recorded stage review or sign-off and are made by its service only.

{_table("Move | From | To | Who | Evidence | Reason | By judgement | Audit event | Notifies", moves)}

## Evidence

Evidence that no package provides does not exist: the process fails closed.

{_table("Evidence | What must be true | Brought by", evidence)}
"""


def _move_cells(rule: MoveRule) -> list[str]:
    return [
        f"`{rule.move.value}` {rule.move.label}",
        "<br>".join(f"`{source.value}`" for source in rule.sources),
        f"`{rule.target.value}`" if rule.target else "where it was suspended",
        ", ".join(str(role.label) for role in rule.roles),
        "<br>".join(f"`{evidence.value}`" for evidence in rule.requires) or "–",
        "yes" if rule.needs_reason else "no",
        "yes" if rule.judged else "no",
        f"`{rule.audit_action}`",
        ", ".join(str(role.label) for role in rule.notifies) or "–",
    ]
