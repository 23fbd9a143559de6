"""Separation of duties in the database itself, below every rule in code."""

import re

from approvals.governance.triggers import Trigger

# Accounts of one natural person share ``person_id``; without one an account is nobody else's (NULL equals nothing).
_LINKED = (
    "EXISTS (SELECT 1 FROM accounts_user a JOIN accounts_user b ON a.person_id = b.person_id "
    "WHERE a.id = {one} AND b.id = {other})"
)
_SAME = "({one} = {other} OR " + _LINKED + ")"


def _same(statement: str, **names: str) -> str:
    """``statement`` with its pairs of columns written out: ``[one=other]`` for one person's accounts, the same
    account included; ``[one~other]`` for linked accounts, where a constraint speaks of the same account already."""
    return re.sub(
        r"\[([\w.{}]+)([=~])([\w.{}]+)\]",
        lambda pair: (
            (_SAME if pair[2] == "=" else _LINKED).replace("{one}", pair[1]).replace("{other}", pair[3])
        ),
        statement,
    ).format(**names)


_EXECUTED = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role = 'executor' AND [m.user_id=NEW.{who}])"
)
_JUDGED = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id "
    "AND [r.reviewed_by_id=NEW.user_id]) OR EXISTS (SELECT 1 FROM decisions_signoff s "
    "WHERE s.project_id = NEW.project_id AND [s.decided_by_id=NEW.user_id]))"
)
_OTHER_ROLE = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role <> NEW.role "
    "AND [m.user_id~NEW.user_id])"
)
_DECIDER_JUDGES = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role IN ('supervisor', 'management') AND m.user_id = NEW.decided_by_id)"
)
_DUTY = "who executes a project does not review, approve or supervise it"


def _changed(*columns: str) -> str:
    """Whether one of ``columns``, none of which is ever NULL, is another one than before."""
    return "(" + " OR ".join(f"OLD.{column} <> NEW.{column}" for column in columns) + ")"


def _once(*columns: str) -> str:
    """Whether one of ``columns``, once set, is another one than before or gone."""
    each = (
        f"(OLD.{column} IS NOT NULL AND (NEW.{column} IS NULL OR NEW.{column} <> OLD.{column}))"
        for column in columns
    )
    return "(" + " OR ".join(each) + ")"


_REVERSAL_ASKED = _changed(
    "id", "project_id", "number", "run_id", '"table"', '"column"', "way", "asked_id", "values_count", "reason",
    "asked_by_id", "asked_at",
)  # fmt: skip
_REVERSAL_DECIDED = (
    _once("decided_by_id", "decided_at", "job_id")
    + " OR (OLD.decided_by_id IS NOT NULL AND NEW.decision_reason <> OLD.decision_reason)"
)
# Less time and more readings are possible, never the other way round.
_REVERSAL_ANSWERED = (
    _once("answer_id", "found_count") + " OR (OLD.readable_until IS NOT NULL "
    "AND (NEW.readable_until IS NULL OR NEW.readable_until > OLD.readable_until)) OR NEW.reads < OLD.reads"
)
_REVERSAL_BACKWARDS = (
    "(OLD.status <> NEW.status AND NOT ("
    "(OLD.status = 'waiting' AND NEW.status IN ('refused', 'running', 'lapsed')) "
    "OR (OLD.status = 'running' AND NEW.status IN ('ready', 'failed')) "
    "OR (OLD.status = 'ready' AND NEW.status = 'ended'))) "
    "OR (OLD.status = 'failed' AND OLD.failed_code <> NEW.failed_code)"
)


def _where_named(name: str, table: str, message: str, condition: str, named: str) -> tuple[Trigger, Trigger]:
    """Refuse ``condition`` where a row names the persons for the first time, and where an update names others or
    lets them speak of something else (``named``): accounts that are linked later on must not stop a row from lapsing
    or ending, and what was judged before must not vouch for what came after."""
    return (
        Trigger(name, table, ("INSERT",), message, condition),
        Trigger(name, table, ("UPDATE",), message, f"{named} AND {condition}"),
    )


_REVIEWER_NAMED = _changed(
    "project_id", "stage", "subject_kind", "subject_id", "subject_hash", "outcome", "reviewed_by_id", "submitted_by_id"
)  # fmt: skip
_DECISION_CHANGED = _changed(
    "project_id", "subject_kind", "subject_id", "subject_hash", "decision", "decided_by_id", "submitted_by_id"
)  # fmt: skip
_DECIDER_NAMED = f"(OLD.decided_by_id IS NULL OR {_DECISION_CHANGED} OR {_once('lapsed_at')})"

TRIGGERS = (
    Trigger(
        "membership_role_is_final",
        "core_membership",
        ("UPDATE",),
        "a role in a project is never exchanged",
        "OLD.project_id <> NEW.project_id OR OLD.user_id <> NEW.user_id OR OLD.role <> NEW.role",
    ),
    Trigger(
        "executor_has_not_judged",
        "core_membership",
        ("INSERT",),
        "who reviewed or approved a project does not execute it",
        _same("NEW.role = 'executor' AND " + _JUDGED),
    ),
    Trigger(
        "membership_one_role_per_person",
        "core_membership",
        ("INSERT",),
        "one person has one role in a project, under whatever account",
        _same(_OTHER_ROLE),
    ),
    *_where_named(
        "review_not_of_own_person",
        "decisions_review",
        "nobody reviews what they submitted under another account",
        _same("[NEW.reviewed_by_id~NEW.submitted_by_id]"),
        _REVIEWER_NAMED,
    ),
    *_where_named(
        "signoff_not_of_own_person",
        "decisions_signoff",
        "nobody decides about what they submitted under another account",
        _same("NEW.decided_by_id IS NOT NULL AND [NEW.decided_by_id~NEW.submitted_by_id]"),
        _DECIDER_NAMED,
    ),
    Trigger("membership_stays", "core_membership", ("DELETE",), "a membership is ended, never deleted"),
    *_where_named(
        "review_not_by_executor",
        "decisions_review",
        _DUTY,
        _same(_EXECUTED, who="reviewed_by_id"),
        _REVIEWER_NAMED,
    ),
    *_where_named(
        "signoff_not_by_executor",
        "decisions_signoff",
        _DUTY,
        _same("NEW.decided_by_id IS NOT NULL AND " + _EXECUTED, who="decided_by_id"),
        _DECIDER_NAMED,
    ),
    *_where_named(
        "reversal_not_by_own_person",
        "reversal_reversalrequest",
        "nobody decides about what they asked for under another account",
        _same("NEW.decided_by_id IS NOT NULL AND [NEW.decided_by_id~NEW.asked_by_id]"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "reversal_decided_by_judge",
        "reversal_reversalrequest",
        ("INSERT", "UPDATE"),
        "only a supervisor or senior management of the project decides about a reversal",
        "NEW.decided_by_id IS NOT NULL AND NOT " + _DECIDER_JUDGES,
    ),
    Trigger(
        "reversal_is_final",
        "reversal_reversalrequest",
        ("UPDATE",),
        "what was asked and what was decided stays as it is",
        f"{_REVERSAL_ASKED} OR {_REVERSAL_DECIDED} OR {_REVERSAL_ANSWERED} OR {_REVERSAL_BACKWARDS}",
    ),
    Trigger("reversal_stays", "reversal_reversalrequest", ("DELETE",), "a reversal is never deleted"),
    *_where_named(
        "share_one_number_per_natural_person",
        "releases_shareholding",
        "nobody holds shares of two numbers, under whatever accounts",
        _same(
            "EXISTS (SELECT 1 FROM releases_shareholding h WHERE h.project_id = NEW.project_id "
            "AND h.number <> NEW.number AND [h.holder_id~NEW.holder_id])"
        ),
        _changed("project_id", "number", "holder_id"),
    ),
    Trigger(
        "share_number_is_final",
        "releases_shareholding",
        ("UPDATE",),
        "a number of shares is never exchanged",
        "OLD.project_id <> NEW.project_id OR OLD.number <> NEW.number OR OLD.holder_id <> NEW.holder_id",
    ),
    Trigger(
        "share_file_is_final",
        "processing_sharefile",
        ("UPDATE",),
        "the file of a holder of shares is never exchanged",
        "OLD.id <> NEW.id OR OLD.project_id <> NEW.project_id OR OLD.run_id <> NEW.run_id "
        "OR OLD.number <> NEW.number OR OLD.stored_id <> NEW.stored_id OR OLD.sha256 <> NEW.sha256",
    ),
    Trigger("share_file_stays", "processing_sharefile", ("DELETE",), "a file of shares is never deleted"),
    Trigger(
        "mapping_table_is_final",
        "processing_mappingtable",
        ("UPDATE",),
        "a mapping table is never exchanged",
        "OLD.id <> NEW.id OR OLD.project_id <> NEW.project_id OR OLD.run_id <> NEW.run_id "
        'OR OLD.step <> NEW.step OR OLD."column" <> NEW."column" OR OLD.stored_id <> NEW.stored_id '
        "OR OLD.key_id <> NEW.key_id",
    ),
    Trigger(
        "mapping_table_stays", "processing_mappingtable", ("DELETE",), "a mapping table is never deleted"
    ),
    Trigger("share_holding_stays", "releases_shareholding", ("DELETE",), "a holding is ended, never deleted"),
)
