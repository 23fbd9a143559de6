"""``deid check``: everything that a pipeline wants to know of a result, in one JSON and one exit code."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from techniques.cli import findings
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import Batches, add_reading, opened, required_columns
from techniques.core.messages import EngineError, _


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``check``."""
    parser = new_command(
        "check",
        help="hold a table against a policy: identifiers, k, l, t, degree, utility; exit code 0 or 1",
        description="Exit code 0 where the table keeps every bound of the policy, 1 where it does not, 2 where it could not be "
        "checked. What a policy may hold: docs/tutorial/pipeline.md.",
    )
    parser.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument(
        "--policy", type=Path, required=True, metavar="FILE", help="the policy, in YAML or JSON"
    )
    parser.add_argument(
        "--original",
        type=TableIn,
        metavar="FILE",
        help="the table that the file was made of, for bounds of utility",
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--quiet", action="store_true", help="print what is missed only")
    add_reading(parser)
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Check and print. Exit code 0, or 1 where a bound is missed; a fault of file or policy raises EngineError."""
    from techniques.cli.check import outcome
    from techniques.cli.check.policy import Policy

    written = options.policy.read_bytes()
    policy = Policy.parse(_text(written))
    if policy.utility and options.original is None:
        text = _("The policy states what has to survive of the original: name that table with --original.")
        raise EngineError("original_missing", text)
    header, batches = opened(options.input, options)
    named = [*policy.quasi_identifiers, *policy.sensitive, *policy.accept_findings]
    keys = policy.subject if isinstance(policy.subject, list) else []
    required_columns(header, [*named, *keys])
    found = findings.search(
        batches, header, policy.quasi_identifiers, policy.accept_findings, policy.risk.k, keys=keys
    )
    checks = [*outcome.of_columns(policy, header), *outcome.of_findings(found)]
    rows = sum(batch.num_rows for batch in batches())
    figures: dict[str, Any] = {"rows": rows}
    if policy.needs_classes:
        measured, of_classes = _classes(policy, header, batches)
        figures |= measured
        checks += of_classes
    if policy.utility:
        checks += _utility(policy, options)
    passed = all(one.passed for one in checks)
    if options.json:
        report = {
            "check": 1,
            "passed": passed,
            "input_sha256": options.staging.sha256(options.input),
            "policy_sha256": hashlib.sha256(written).hexdigest(),
            **figures,
            "checks": [one.model_dump(mode="json") for one in checks],
            "findings": found,
        }
        sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    else:
        lines = [one.line() for one in checks if not (options.quiet and one.passed)]
        if not options.quiet:
            lines += [*findings.said(found), _verdict(checks)]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0 if passed else 1


def _classes(policy: Any, header: list[str], batches: Batches) -> tuple[dict[str, Any], list[Any]]:
    """Figures and checks of the classes."""
    from techniques.cli.check import outcome
    from techniques.disclosure_risk.measure import measure
    from techniques.disclosure_risk.variety import VarietyOptions, variety

    quasi = policy.quasi_identifiers
    whose = _subjects(policy, header, batches)
    report = measure(
        batches(), quasi, suppressed=policy.suppressed, contributions=False, subjects=whose,
        thresholds=[one.threshold for one in policy.risk.above],
    )  # fmt: skip
    checks = outcome.of_risk(policy, report)
    figures: dict[str, Any] = {"classes": report.classes, "k": report.k}
    if report.figures.persons is not None:
        figures["persons"] = report.figures.persons
    for column, bounds in policy.sensitive.items():
        choices = VarietyOptions(
            ordered=frozenset({column} if bounds.t_ordered is not None else ()),
            c=bounds.recursive.c if bounds.recursive else None,
        )
        found = variety(
            batches(),
            quasi,
            [column],
            left_out=policy.suppressed == "left_out",
            options=choices,
            subjects=whose,
        )
        checks += outcome.of_sensitive(column, bounds, found[column] if report.figures.rows else None)
    return figures, checks


def _subjects(policy: Any, header: list[str], batches: Batches) -> Any:
    from techniques.cli.subjects import subjects_of

    try:
        return subjects_of(policy.subject, header, batches, {*policy.quasi_identifiers, *policy.sensitive})
    except EngineError as error:
        if error.code != "subject_unsaid":
            raise
        text = _(
            "Column %(column)s has %(persons)d different values in %(rows)d rows, so persons appear "
            "to have several rows, up to %(most)d. State in the policy whose rows they are: subject: "
            "[%(column)s], so that classes count persons, or subject: rows, where one row is one "
            "person."
        )
        raise EngineError("subject_unsaid", text, **error.params) from None


def _utility(policy: Any, options: argparse.Namespace) -> list[Any]:
    from techniques.cli.check import outcome
    from techniques.data_utility.measure import assess

    old, before = opened(options.original, options, ())
    _new, after = opened(options.input, options, old)
    return outcome.of_utility(assess(policy.utility, before(), after())[0])


def _verdict(checks: list[Any]) -> str:
    missed = sum(not one.passed for one in checks)
    return f"{missed} of {len(checks)} bounds missed" if missed else f"all {len(checks)} bounds kept"


def _text(written: bytes) -> str:
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError("policy_encoding", _("The policy must be UTF-8 text.")) from None
