"""Conditions in SQL from which the packages make their database triggers; SQLite and PostgreSQL understand them."""

from __future__ import annotations

from approvals.governance.triggers import Trigger


def linked_accounts(one: str, other: str) -> str:
    """Whether two columns name different accounts of one natural person.

    Accounts of one person share ``person_id``; without one an account is nobody else's, and where a column names nobody
    it is nobody's (NULL equals nothing).
    """
    return (
        "EXISTS (SELECT 1 FROM accounts_user a JOIN accounts_user b ON a.person_id = b.person_id "
        f"WHERE a.id = {one} AND b.id = {other})"
    )


def same_person(one: str, other: str) -> str:
    """Whether two columns name one person, under one account or under two."""
    return f"({one} = {other} OR {linked_accounts(one, other)})"


def changed(*columns: str) -> str:
    """Whether one of ``columns``, none of which is ever NULL, is another one than before."""
    return "(" + " OR ".join(f"OLD.{column} <> NEW.{column}" for column in columns) + ")"


def exchanged(*columns: str) -> str:
    """Whether one of ``columns``, once set, is another one than before or gone."""
    each = (
        f"(OLD.{column} IS NOT NULL AND (NEW.{column} IS NULL OR NEW.{column} <> OLD.{column}))"
        for column in columns
    )
    return "(" + " OR ".join(each) + ")"


def rewritten(*columns: str) -> str:
    """Whether one of the texts ``columns``, once there, is another one than before or gone."""
    return (
        "("
        + " OR ".join(f"(OLD.{column} <> '' AND OLD.{column} <> NEW.{column})" for column in columns)
        + ")"
    )


def where_named(name: str, table: str, message: str, condition: str, named: str) -> tuple[Trigger, Trigger]:
    """Refuse ``condition`` where a row names persons for the first time, and where an update names others or lets
    them speak of something else (``named``).

    Accounts that are linked later on must not stop a row from lapsing or ending, and what was judged before must
    not vouch for what came after.
    """
    return (
        Trigger(name, table, ("INSERT",), message, condition),
        Trigger(name, table, ("UPDATE",), message, f"{named} AND {condition}"),
    )
