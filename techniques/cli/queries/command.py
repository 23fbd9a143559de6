"""The command ``query``."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, opened
from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.models.differential_privacy.question import Question


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``query``."""
    parser = new_command(
        "query",
        help="ask a table with differential privacy, from a budget",
        description="Counts, sums, means, quantiles, most frequent values, histograms and contingency tables with noise (GB/T 37964 B.2.2). "
        "The account in LEDGER keeps what each answer cost; beyond the budget nothing is answered, and a question asked again gets its "
        "stored answer at no cost. Bounds and groups are yours to state: nothing is taken from the data.",
    )
    parser.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("ledger", type=Path, metavar="LEDGER", help="the account of this table")
    subjects.add_argument(parser)
    parser.add_argument("--open", action="store_true", help="open the account, with --budget")
    parser.add_argument(
        "--budget",
        metavar="JSON",
        help='for example {"epsilon": 2, "delta": 1e-6, "composition": "zcdp"}; or a file',
    )
    parser.add_argument(
        "--ask",
        metavar="JSON",
        help='for example {"kind": "count", "by": [{"column": "sex", "values": ["f", "m"]}], "error": 10}; or a file',
    )
    parser.add_argument("--price", action="store_true", help="only say what the answer would cost")
    parser.add_argument("--json", action="store_true", help="answer and account as JSON")
    add_reading(parser)
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Open the account, answer, or show what is left."""
    from techniques.core.validation import validated
    from techniques.models.differential_privacy import ledger as accounts
    from techniques.models.differential_privacy.loss import Budget

    header, batches = opened(options.input, options)
    source = _source(options, header)
    if options.open:
        if options.budget is None:
            raise EngineError("budget_missing", _("State the budget of the account with --budget."))
        accounts.open_account(options.ledger, source, validated(Budget, _json(options.budget), "budget"))
    with accounts.ledger(options.ledger, source) as account:
        if options.ask is None:
            _show(options, {"account": _account(account)})
            return 0
        _show(options, _answered(options, header, batches, account))
    return 0


def _answered(options: argparse.Namespace, header: list[str], batches: Any, account: Any) -> dict[str, Any]:
    from techniques.core.validation import validated
    from techniques.models.differential_privacy.question import Question

    question = validated(Question, _json(options.ask), "question")
    try:
        return _made(options, question, header, batches, account)
    except EngineError as no:
        # What the budget refused has its line already.
        if not options.price and no.code != "budget_spent":
            account.dismiss(question.hash, no.code)
        raise


def _made(
    options: argparse.Namespace, question: Question, header: list[str], batches: Any, account: Any
) -> dict[str, Any]:
    from techniques.models.differential_privacy.answer import answer
    from techniques.models.differential_privacy.outcome import Answer
    from techniques.models.differential_privacy.planning import charge_of, plan
    from techniques.models.differential_privacy.statements import CLAUSE, statements

    for column in question.columns:
        if column not in header:
            raise faults.unknown_column(column)
    planned = plan(question, account.budget.neighbours)
    whose = subjects.named(options, header)
    if options.subject is None:
        raise EngineError(
            "subject_unsaid",
            _("State whose rows they are with --subject; use 'rows' if each row is a person."),
        )
    charge = charge_of(planned, account.budget, per_row=not whose)
    if options.price:
        from techniques.models.differential_privacy.expected import expected
        from techniques.models.differential_privacy.loss import affords

        return {
            "clause": CLAUSE,
            "price": planned.loss.as_dict(),
            "affordable": affords(account.charges, charge, account.budget),
            "expected": [one.for_programs() for one in expected(planned)],
            "account": _account(account),
        }

    def make() -> dict[str, Any]:
        import pyarrow as pa

        from techniques.tables.subjects import read_subjects

        # A table without columns would have no rows either.
        wanted = question.columns or header[:1]
        parts = [batch.select(wanted) for batch in batches()]
        schema = pa.schema([(name, pa.string()) for name in wanted])
        table = pa.Table.from_batches(parts) if parts else schema.empty_table()
        return answer(planned, table, read_subjects(batches(), whose)).model_dump(mode="json")

    made, repeated = account.ask(question.hash, charge, make)
    said = statements(Answer.model_validate(made))
    return {
        "clause": CLAUSE, "answer": made, "repeated": repeated, "account": _account(account),
        "statements": [one.for_programs() for one in said],
    }  # fmt: skip


def _source(options: argparse.Namespace, header: list[str]) -> str:
    with options.input.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    return hashlib.sha256(json.dumps([content, sorted(subjects.named(options, header))]).encode()).hexdigest()


def _json(text: str) -> Any:
    content = text if text.lstrip().startswith("{") else Path(text).read_text(encoding="utf-8")
    try:
        return json.loads(content)
    except ValueError:
        raise EngineError("json_broken", _("This is not JSON: %(text)s"), text=text[:80]) from None


def _account(account: Any) -> dict[str, Any]:
    """What was granted, spent and is left, and how it is counted."""
    budget = account.budget
    counted = {"composition": budget.composition, "neighbours": budget.neighbours, "part": budget.part or ""}
    found: dict[str, Any] = account.figures() | counted
    return found


def _show(options: argparse.Namespace, found: dict[str, Any]) -> None:
    from techniques.models.differential_privacy.statements import CLAUSE

    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return
    if "price" in found:
        price = found["price"]
        print(
            f"cost: ε = {_number(price['epsilon'])}, δ = {float(price['delta']):g}; {'affordable' if found['affordable'] else 'more than is left'}"
        )
        print("\n".join(f"- {one['text']}" for one in found["expected"]))
        print(CLAUSE)
    if "answer" in found:
        _show_answer(found)
    account = found["account"]
    part = f", parts by {account['part']}" if account["part"] else ""
    print(
        f"account: ε = {account['spent_epsilon']} of {account['epsilon']:g}, δ = {account['spent_delta']:g} of {account['delta']:g} "
        f"spent by {account['answers']} answers, ε = {account['left_epsilon']} left; {account['composition']} composition{part}, "
        f"neighbours by {account['neighbours']}"
    )


def _show_answer(found: dict[str, Any]) -> None:
    from techniques.models.differential_privacy.outcome import Answer
    from techniques.models.differential_privacy.statements import beside

    answer = found["answer"]
    choice = beside(Answer.model_validate(answer))
    for cell in [*answer["cells"], *answer["margins"]]:
        name = " / ".join(label or "*" for label in cell["labels"])
        bounds = f" ({choice})" if choice else f" [{cell['low']:.12g}, {cell['high']:.12g}]"
        value = cell["value"] if isinstance(cell["value"], str) else f"{cell['value']:.12g}"
        print(f"{name + ': ' if name else ''}{value}{bounds}")
    print(
        "asked before: the stored answer, at no cost"
        if found["repeated"]
        else f"paid: ε = {_number(answer['loss']['epsilon'])}"
    )
    print(found["clause"])
    print("\n".join(f"- {one['text']} {one['formula']}".rstrip() for one in found["statements"]))


def _number(text: str) -> str:
    from techniques.models.differential_privacy.outcome import plain

    return plain(text)
