"""An account in a file, for the command line: a line for the budget, then one for every answer, refusal and question asked again.

Lines are only ever added, under a lock of the file, and are on disk before an answer is shown. A line that broke off stops everything.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from techniques.core.messages import EngineError, _
from techniques.core.validation import validated
from techniques.models.differential_privacy.loss import Budget, Charge, Loss, account, affords, left_of


@dataclass(frozen=True)
class Ledger:
    """The open account of one table."""

    stream: BinaryIO
    budget: Budget
    source: str
    """The SHA-256 of the table, its person key included: another table has another account."""
    lines: list[dict[str, Any]]

    @property
    def charges(self) -> list[Charge]:
        """What was spent, in order."""
        return [
            Charge(Loss.stored(line["loss"]), None if line["parts"] is None else frozenset(line["parts"]))
            for line in self.lines
            if line["event"] == "answered"
        ]

    def answered(self, question: str) -> dict[str, Any] | None:
        """The stored answer to the question of this hash."""
        found = (
            line["answer"]
            for line in self.lines
            if line["event"] == "answered" and line["question"] == question
        )
        return next(found, None)

    def figures(self) -> dict[str, Any]:
        """What was granted, spent and is left."""
        return account(self.charges, self.budget)

    def ask(
        self, question: str, charge: Charge, make: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], bool]:
        """(the answer, whether it was stored before). A further one is charged, and written down before it is returned; EngineError
        ``budget_spent`` leaves a line too."""
        stored = self.answered(question)
        if stored is not None:
            self._add({"event": "repeated", "question": question})
            return stored, True
        if not affords(self.charges, charge, self.budget):
            self._add({"event": "refused", "question": question, "loss": charge.loss.as_dict()})
            if charge.loss.delta > Decimal(str(self.budget.delta)):
                text = _(
                    "The budget does not allow this: it asks for δ = %(cost)s, and δ = %(most)s is granted in all. Nothing was spent."
                )
                cost, most = _short(charge.loss.delta), _short(Decimal(str(self.budget.delta)))
                raise EngineError("budget_spent", text, cost=cost, most=most)
            text = _(
                "The budget does not allow this: it costs ε = %(cost)s, and %(left)s is left. Nothing was spent."
            )
            raise EngineError(
                "budget_spent",
                text,
                cost=_short(charge.loss.epsilon),
                left=_short(left_of(self.charges, self.budget)),
            )
        made = make()
        parts = None if charge.parts is None else sorted(charge.parts)
        self._add(
            {
                "event": "answered",
                "question": question,
                "loss": charge.loss.as_dict(),
                "parts": parts,
                "answer": made,
            }
        )
        return made, False

    def dismiss(self, question: str, code: str) -> None:
        """Leave a line of a question that cannot be answered at any price."""
        self._add({"event": "refused", "question": question, "code": code})

    def _add(self, line: dict[str, Any]) -> None:
        dated = {"at": datetime.now(UTC).isoformat(timespec="seconds"), **line}
        self.stream.seek(0, os.SEEK_END)
        self.stream.write(json.dumps(dated, ensure_ascii=False).encode() + b"\n")
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.lines.append(dated)


def open_account(path: Path, source: str, budget: Budget) -> None:
    """A new account; EngineError ``ledger_exists``."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = _("%(path)s is there already: an account is opened once, and its budget stays.")
        raise EngineError("ledger_exists", text, path=str(path)) from None
    with os.fdopen(descriptor, "wb") as stream:
        line = {"event": "opened", "source": source, "budget": budget.model_dump(mode="json")}
        stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


@contextmanager
def ledger(path: Path, source: str) -> Iterator[Ledger]:
    """The account, alone with it until the end of the block; EngineError ``ledger_missing``, ``ledger_broken``, ``ledger_of_another``."""
    try:
        stream = path.open("r+b")
    except FileNotFoundError:
        text = _("There is no account %(path)s: open one with --open, saying its --budget.")
        raise EngineError("ledger_missing", text, path=str(path)) from None
    with stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        first, lines = _read(stream, path)
        if first["source"] != source:
            text = _(
                "The account %(path)s is of another table, or of other columns that tell whose rows are."
            )
            raise EngineError("ledger_of_another", text, path=str(path))
        yield Ledger(stream, validated(Budget, first["budget"], "budget"), source, lines)


def _read(stream: BinaryIO, path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    content = stream.read()
    try:
        if not content.endswith(b"\n"):
            raise ValueError
        first, *lines = (json.loads(line) for line in content.splitlines())
        if first["event"] != "opened":
            raise ValueError
    except (ValueError, KeyError, TypeError):
        text = _("%(path)s is no whole account: what it would allow is not known, so nothing is answered.")
        raise EngineError("ledger_broken", text, path=str(path)) from None
    return first, lines


def _short(amount: Decimal) -> str:
    return format(amount.normalize(), "f")
