"""The entropy paper's first experiment: UCI Adult, with and without the sensitive attribute."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from techniques.cli.reproduction.outcome import Outcome

_COLUMNS = (
    "age,occupation,hours-per-week,education,relationship,workclass,race,sex,marital-status,native-country"
)
"""The ten quasi-identifiers in the order in which the path takes them."""
_GAINS = (0.3791, 0.2262, 0.1789, 0.1012, 0.0494, 0.0179, 0.0088, 0.0056, 0.0030, 0.0026)
_SENSITIVE = "income"
_RISK = {True: 0.7475, False: 0.3240}
"""The printed scores with the sensitive attribute and without."""
_DIGIT = 1.5e-4
"""Figures are printed to four decimals; the score with the sensitive attribute comes out one higher in the last."""


def adult(options: Namespace) -> Outcome:
    """The ten increments and both scores of the table ``options.data``."""
    from techniques.cli.tables import opened, quasi_identifiers
    from techniques.disclosure_risk.entropy import entropy_risk

    header, batches = opened(options.data, options)
    # The same columns in another order: the path finds the order by itself.
    columns = sorted(quasi_identifiers(_COLUMNS, header))
    found = {
        with_it: entropy_risk(batches(), columns, [_SENSITIVE] if with_it else [])
        for with_it in (True, False)
    }
    path = found[True].path
    figures: dict[str, Any] = {
        ("with_sensitive" if with_it else "without_sensitive"): one.model_dump(mode="json")
        for with_it, one in found.items()
    }
    lines = [f"{one.column}  {one.gain:.4f}" for one in path]
    lines += [
        f"{'with' if with_it else 'without'} {_SENSITIVE}: likelihood {one.likelihood:.4f} x impact {one.impact:.4f} "
        f"= risk {one.risk:.4f}"
        for with_it, one in found.items()
    ]
    agrees = (
        ",".join(one.column for one in path) == _COLUMNS
        and tuple(round(one.gain, 4) for one in path) == _GAINS
        and all(abs(one.risk - _RISK[with_it]) < _DIGIT for with_it, one in found.items())
    )
    return Outcome(figures, lines, agrees)
