"""The command ``local``: what randomised answers say of many, and for tests what a device sends."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn, TableOut
from techniques.cli.tables import add_json, add_output_format, add_reading, opened, say, shown
from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.models.local_privacy.reports import Findings
    from techniques.models.local_privacy.survey import Survey

REPORT = "report"
"""The column of what devices sent, as ``encode`` writes it."""


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``local`` and its two parts."""
    parser = new_command(
        "local",
        help="answers that were randomised before they were collected",
        description="Estimates without bias, each with an interval, from answers that the devices of persons have randomised "
        "(GB/T 37964 B.2.3); the kits for devices are techniques/models/local_privacy/client.py and "
        "static/kits/local_privacy.js.",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    estimate = parts.add_parser("estimate", help="shares or a mean of those who answered, with intervals")
    estimate.add_argument(
        "input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file, an answer a row"
    )
    _survey(estimate)
    estimate.add_argument("--column", default=REPORT, help="the column of the answers (report)")
    estimate.add_argument("--confidence", type=float, default=0.95, help="of each interval (0.95)")
    subjects.add_argument(estimate)
    estimate.add_argument("--json", action="store_true", help="print the figures as JSON")
    add_reading(estimate)
    estimate.set_defaults(handler=_estimate)
    encode = parts.add_parser(
        "encode",
        help="for tests: what devices would send for the values of a column",
        description="Who runs this holds the true values, so it protects nobody: it is for tests and examples.",
    )
    encode.add_argument(
        "input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file with true values"
    )
    encode.add_argument("output", type=TableOut, metavar="OUTPUT", help="CSV file of the answers")
    _survey(encode)
    encode.add_argument("--column", required=True, help="the column of the values")
    encode.add_argument(
        "--seed", type=int, help="draw the same answers again; the system's own chance without it"
    )
    add_json(encode)
    add_output_format(encode)
    add_reading(encode)
    encode.set_defaults(handler=_encode)


def _survey(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kind",
        required=True,
        choices=["response", "unary", "number"],
        help="randomised response, optimised unary encoding, or a number with Laplace noise",
    )
    parser.add_argument("--epsilon", type=float, required=True, help="ε of each answer")
    parser.add_argument(
        "--choices", default="", metavar="A,B", help="the choices, in the order of the devices"
    )
    parser.add_argument("--low", type=float, help="lower bound of the numbers")
    parser.add_argument("--high", type=float, help="upper bound of the numbers")
    parser.add_argument("--steps", type=int, default=100, help="steps between the bounds (100)")


def _surveyed(options: argparse.Namespace) -> Survey:
    from techniques.core.validation import validated
    from techniques.models.local_privacy.survey import Survey

    given = {
        "kind": options.kind,
        "epsilon": options.epsilon,
        "choices": [part.strip() for part in options.choices.split(",") if part.strip()],
        "low": options.low,
        "high": options.high,
        "steps": options.steps,
        "confidence": getattr(options, "confidence", 0.95),
    }
    return validated(Survey, given, "survey")


def _texts(options: argparse.Namespace) -> tuple[list[str], Any, list[str | None]]:
    """Header, batches, and the column of ``options`` as texts."""
    import pyarrow as pa

    header, batches = opened(options.input, options)
    if options.column not in header:
        raise faults.unknown_column(options.column)
    texts = [
        value for batch in batches() for value in batch.column(options.column).cast(pa.string()).to_pylist()
    ]
    return header, batches, texts


def _estimate(options: argparse.Namespace) -> int:
    from techniques.models.local_privacy.reports import CLAUSE, findings, statements
    from techniques.tables.subjects import read_subjects

    survey = _surveyed(options)
    header, batches, texts = _texts(options)
    whose = subjects.named(options, header)
    if options.subject is None:
        text = _("State whose rows they are with --subject; use 'rows' if each row is a person.")
        raise EngineError("subject_unsaid", text)
    found = findings(texts, survey, read_subjects(batches(), whose))
    said = statements(found)
    if options.json:
        figures = {
            "clause": CLAUSE,
            **found.model_dump(mode="json"),
            "statements": [one.for_programs() for one in said],
        }
        print(json.dumps(figures, ensure_ascii=False, indent=1))
        return 0
    _show(found)
    print(CLAUSE)
    print("\n".join(f"- {one}" for one in said))
    return 0


def _show(found: Findings) -> None:
    print(f"answers {found.answers} of {found.rows} rows")
    for line in found.lines:
        name = f"{line.label}: " if line.label else "mean: "
        print(f"{name}{line.value:.6g} [{line.low:.6g}, {line.high:.6g}]")


def _encode(options: argparse.Namespace) -> int:
    from techniques.models.local_privacy.client import BITS, system_draw
    from techniques.models.local_privacy.reports import encoded
    from techniques.tables.writers.outputs import Outputs

    survey = _surveyed(options)
    _header, _batches, texts = _texts(options)
    draw = system_draw
    if options.seed is not None:
        seeded = random.Random(options.seed)  # noqa: S311 - for tests alone, and said so

        def draw() -> int:
            return seeded.getrandbits(BITS)

    with (
        Outputs([options.output], [options.input]) as outputs,
        TextIOWrapper(outputs.open(options.output), encoding="utf-8", newline="") as target,
    ):
        target.write(f"{REPORT}\n")
        for text in texts:
            target.write(f"{encoded(text or '', survey, draw)}\n")
    output = shown(options.output, options)
    say(options, f"{len(texts)} answers: {output}", {"answers": len(texts), "output": output})
    return 0
