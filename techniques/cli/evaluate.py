"""``deid evaluate``: three scales side by side."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from techniques.cli import findings, subjects
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, opened, quasi_identifiers
from techniques.core.messages import EngineError, _

_GRADES = ["low", "medium", "high"]


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``evaluate``."""
    parser = new_command(
        "evaluate",
        help="degree of T/ISC 0078, level of GB/T 42460 and overall risk of GB/T 37964 of a file",
        description="Measures a result by its quasi-identifiers and judges it by three scales, with a sentence "
        "where they disagree. All columns are searched for direct identifiers.",
    )
    parser.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument(
        "--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas; may be empty"
    )
    parser.add_argument("--sharing", choices=["public", "controlled", "enclave"], default="controlled")
    parser.add_argument(
        "--scenario",
        choices=["internal", "external", "public"],
        help="of T/ISC 0078 C.4, if not that of --sharing",
    )
    parser.add_argument(
        "--capability", choices=_GRADES, default="medium", help="the recipient's safeguards, T/ISC 0078 C.5"
    )
    parser.add_argument(
        "--controls", choices=_GRADES, default="medium", help="privacy and security controls, Table B.1"
    )
    parser.add_argument("--motive", choices=_GRADES, default="medium", help="motive and capacity, Table B.1")
    parser.add_argument(
        "--prevalence", type=float, default=0.001, help="share of people with the trait of the data"
    )
    parser.add_argument(
        "--acquaintances", type=int, default=150, help="people whom somebody knows, 150 to 190"
    )
    parser.add_argument(
        "--breach", type=float, default=0.1, help="yearly probability of a breach at the recipient"
    )
    parser.add_argument("--threshold", type=float, default=0.1, help="overall risk that the project accepts")
    parser.add_argument(
        "--acceptable", type=float, default=0.05, help="overall risk below which the level is 3"
    )
    parser.add_argument(
        "--original", type=TableIn, metavar="FILE",
        help="the table that the file was made of: beside the three scales the risk by entropy of both",
    )  # fmt: skip
    parser.add_argument("--sensitive", metavar="A,B", help="sensitive attributes, with --original")
    subjects.add_argument(parser)
    findings.add_argument(parser)
    parser.add_argument("--suppressed", choices=["own-class", "left-out"], default="own-class")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_reading(parser)
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Evaluate and print; exit code 0, or 1 where not all three scales accept the table or a column tells rows apart."""
    from techniques.catalogue import bases
    from techniques.disclosure_risk.measure import measure
    from techniques.disclosure_risk.report import Figures
    from techniques.disclosure_risk.scales import inverse
    from techniques.disclosure_risk.scales.degree import Capability, Scenario
    from techniques.disclosure_risk.scales.environment import Level, acquaintance, deliberate
    from techniques.disclosure_risk.scales.evaluation import evaluate, level

    header, batches = opened(options.input, options)
    names = quasi_identifiers(options.qi, header) if options.qi.strip() else []
    accepted = quasi_identifiers(options.accept_findings, header) if options.accept_findings else []
    found_in = findings.search(batches, header, names, accepted)
    stopping = [one for one in found_in if not one["accepted"]]
    direct = len({one["column"] for one in stopping if one["kind"] != "unique_value"})
    telling = [one["column"] for one in found_in if one["kind"] == "unique_value"]
    rows = sum(batch.num_rows for batch in batches())
    controls, motive = Level(options.controls), Level(options.motive)
    known = acquaintance(options.prevalence, options.acquaintances)
    figures: dict[str, Any] = {"rows": rows, "direct_identifiers": direct, "findings": found_in}
    if not names:
        import numpy as np

        graded = level(Figures.of(np.array([rows])), options.sharing, 1.0, direct=direct, quasi=0)
        figures["level"] = graded.model_dump(mode="json")
        _print(options, figures, [str(graded.why), *findings.said(found_in)])
        return 0 if graded.level >= 3 and not stopping else 1
    whose = subjects.subjects(options, header, batches, names)
    report = measure(
        batches(), names, contributions=False,
        suppressed="own_class" if options.suppressed == "own-class" else "left_out",
        subjects=whose,
    )  # fmt: skip
    if report.rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is no risk to measure."))
    found = evaluate(
        report, options.sharing,
        deliberate=deliberate(controls, motive), acquaintance=known, breach=options.breach,
        capability=Capability(options.capability),
        scenario=Scenario(options.scenario) if options.scenario else None,
        threshold=options.threshold, acceptable=options.acceptable, direct=direct,
    )  # fmt: skip
    bought = inverse.purchases(
        options.threshold,
        controls,
        motive,
        acquaintance=known,
        breach=options.breach,
        sharing_type=options.sharing,
    )
    persons = report.figures.persons
    if persons is not None:
        figures |= {"persons": persons, "unique_persons": report.figures.unique_persons}
    figures |= {"k": report.k, **found.model_dump(mode="json")}
    figures["controls"] = [one.model_dump(mode="json") for one in bought]
    lines = [
        f"K {report.k}  classes {report.classes}  rows {report.rows}"
        + ("" if persons is None else f"  persons {persons}"),
        f"T/ISC 0078 degree {found.degree.degree:g} = {report.k} x {found.degree.scenario_coefficient:g} x "
        f"{found.degree.environment_coefficient:g}: {_verdict(found.degree.passed)}",
        f"GB/T 42460 level {found.level.level}: {found.level.why}",
        f"GB/T 37964 overall risk {found.overall.value:.6g} = {found.overall.data.value:.6g} x "
        f"{found.overall.environment.value:.6g}, threshold {found.overall.threshold:g}: {_verdict(found.overall.passed)}",
        *map(str, found.statements),
        *(
            [f"no scale looks at what tells rows apart beside the quasi-identifiers: {', '.join(telling)}"]
            if telling
            else []
        ),
        *findings.said(found_in),
        *(f"controls {one.controls.value}: context {one.context:.6g}, needs k {one.k}" for one in bought),
    ]
    if options.original:
        made = _by_entropy(options, header, batches, names, whose)
        says = {"basis": bases.ENTROPY, "limits": bases.ENTROPY_LIMITS}
        figures["entropy"] = made.model_dump(mode="json") | says
        lines += [
            f"entropy risk {one.risk:.6g} of the {name} = likelihood {one.likelihood:.6g} x impact {one.impact:.6g}"
            for name, one in (("source", made.source), ("result", made.result))
        ]
        lines += says.values()
    _print(options, figures, lines)
    return 0 if found.agreed and found.degree.passed and not stopping else 1


def _by_entropy(
    options: argparse.Namespace, header: list[str], batches: Any, names: list[str], whose: Any
) -> Any:
    """The risk by entropy of the original and of the file; quasi-identifiers and sensitive attributes are those that are left."""
    from techniques.disclosure_risk.entropy import entropy_change

    sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
    # Both without the mark that keeps a spreadsheet from running a text, so that equal values are equal.
    before, original = opened(options.original, options, header)
    after, released = opened(options.input, options, before)
    plain = dict(zip(header, after, strict=True))
    for column in (*names, *sensitive):
        quasi_identifiers(plain[column], before)
    return entropy_change(
        original(),
        released(),
        [plain[column] for column in names],
        [plain[column] for column in sensitive],
        left=after,
        source_subjects=None if whose is None else subjects.subjects(options, before, original, before),
        result_subjects=whose,
    )


def _verdict(passed: bool) -> str:
    return "passed" if passed else "not passed"


def _print(options: argparse.Namespace, figures: dict[str, Any], lines: list[str]) -> None:
    sys.stdout.write((json.dumps(figures, ensure_ascii=False) if options.json else "\n".join(lines)) + "\n")
