"""``deid reproduce``: the worked examples of the sources, computed again by the engine itself."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from techniques.catalogue import bases
from techniques.cli.places.staging import TableIn
from techniques.cli.reproduction import entropy, personalized, standards
from techniques.cli.reproduction.outcome import Outcome
from techniques.core.messages import EngineError, _


class Example(NamedTuple):
    """What the example is, what computes it, whether it needs a table, on which clause or paper it rests, and what it does not say."""

    about: str
    compute: Callable[[argparse.Namespace], Outcome]
    needs_table: bool
    basis: str
    limits: str


_EXAMPLES = {
    "tisc-d": Example(
        "T/ISC 0078-2025 annex D",
        lambda _options: standards.degree_of_annex_d(),
        needs_table=False,
        basis=standards.ANNEX_D,
        limits=standards.ANNEX_D_LIMITS,
    ),
    "gbt-a36": Example(
        "GB/T 37964-2019 A.3.6",
        lambda _options: standards.pay_by_years(),
        needs_table=False,
        basis=standards.PAY,
        limits=standards.PAY_LIMITS,
    ),
    "gbt-b2": Example(
        "the histogram of GB/T 37964-2019 B.2.5.2",
        lambda _options: standards.histogram_with_noise(),
        needs_table=False,
        basis=bases.HISTOGRAM,
        limits=standards.HISTOGRAM_LIMITS,
    ),
    "cao2018": Example(
        "section 5 of Cao et al. 2018, of UCI Adult (--data, --out)",
        personalized.adult,
        needs_table=True,
        basis=bases.PERSONAL_LEVELS,
        limits=personalized.LIMITS,
    ),
    "entropy": Example(
        "entropy-based risk of UCI Adult (--data)",
        entropy.adult,
        needs_table=True,
        basis=bases.ENTROPY,
        limits=bases.ENTROPY_LIMITS,
    ),
}
"""By name."""


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``reproduce``."""
    parser = new_command("reproduce", help="compute a source's worked example again, from rows")
    parser.add_argument(
        "example",
        choices=list(_EXAMPLES),
        help="; ".join(f"{name}: {one.about}" for name, one in _EXAMPLES.items()),
    )
    parser.add_argument("--data", type=TableIn, metavar="FILE", help="the table, where the example needs one")
    parser.add_argument("--out", type=Path, metavar="DIR", help="cao2018: where its table and figures go")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(handler=reproduce)


def reproduce(options: argparse.Namespace) -> int:
    """Treat and measure the rows of the example; exit code 0 if the figures are those that the source states.

    Raises EngineError ``data_missing`` where it needs a table and none is named."""
    example = _EXAMPLES[options.example]
    if example.needs_table and options.data is None:
        text = _("“%(example)s” is computed from a table: name the file with --data.")
        raise EngineError("data_missing", text, example=options.example)
    figures, lines, agrees = example.compute(options)
    if options.json:
        print(json.dumps(figures | {"basis": example.basis, "limits": example.limits}, ensure_ascii=False))
    else:
        print("\n".join([*lines, f"Rests on: {example.basis}", example.limits]))
    return 0 if agrees else 1
