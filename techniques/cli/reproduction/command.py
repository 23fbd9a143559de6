"""``deid reproduce``: the worked examples of the sources, computed again by the engine itself."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from techniques.cli.places.staging import TableIn
from techniques.cli.reproduction import entropy, personalized, standards
from techniques.cli.reproduction.outcome import Outcome
from techniques.core.messages import EngineError, _

_EXAMPLES: dict[str, tuple[str, Callable[[argparse.Namespace], Outcome], bool]] = {
    "tisc-d": ("T/ISC 0078-2025 annex D", lambda _options: standards.degree_of_annex_d(), False),
    "gbt-a36": ("GB/T 37964-2019 A.3.6", lambda _options: standards.pay_by_years(), False),
    "gbt-b2": (
        "the histogram of GB/T 37964-2019 B.2.5.2",
        lambda _options: standards.histogram_with_noise(),
        False,
    ),
    "cao2018": ("section 5 of Cao et al. 2018, of UCI Adult (--data, --out)", personalized.adult, True),
    "entropy": ("entropy-based risk of UCI Adult (--data)", entropy.adult, True),
}
"""By name: what it is, what computes it, and whether it needs a table."""


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``reproduce``."""
    parser = new_command("reproduce", help="compute a source's worked example again, from rows")
    parser.add_argument(
        "example",
        choices=list(_EXAMPLES),
        help="; ".join(f"{name}: {about}" for name, (about, _example, _needs) in _EXAMPLES.items()),
    )
    parser.add_argument("--data", type=TableIn, metavar="FILE", help="the table, where the example needs one")
    parser.add_argument("--out", type=Path, metavar="DIR", help="cao2018: where its table and figures go")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(handler=reproduce)


def reproduce(options: argparse.Namespace) -> int:
    """Treat and measure the rows of the example; exit code 0 if the figures are those that the source states.

    Raises EngineError ``data_missing`` where it needs a table and none is named."""
    _about, example, needs_table = _EXAMPLES[options.example]
    if needs_table and options.data is None:
        text = _("“%(example)s” is computed from a table: name the file with --data.")
        raise EngineError("data_missing", text, example=options.example)
    figures, lines, agrees = example(options)
    text = json.dumps(figures, ensure_ascii=False) if options.json else "\n".join(lines)
    print(text)
    return 0 if agrees else 1
