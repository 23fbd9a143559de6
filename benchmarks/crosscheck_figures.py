"""The figures of pycanon for CSV files, as JSON: run by :mod:`benchmarks.crosscheck` in an environment of its own.

Arguments: files whose columns q0, q1 … are quasi-identifiers, ``s`` a text and ``n`` a number.
"""

from __future__ import annotations

import json
import sys

import pandas as pd
from pycanon import anonymity


def figures(path: str) -> dict[str, float]:
    """Cells are texts, an empty one a value of its own; pycanon would leave rows out where a cell is missing."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False).reset_index(drop=True)
    table["n"] = table["n"].astype(float)
    quasi = [name for name in table.columns if name.startswith("q")]
    constant = table["n"].nunique() == 1
    return {
        "k": int(anonymity.k_anonymity(table, quasi)),
        "alpha": float(anonymity.alpha_k_anonymity(table, quasi, ["s"])[0]),
        "distinct": int(anonymity.l_diversity(table, quasi, ["s"])),
        "entropy": int(anonymity.entropy_l_diversity(table, quasi, ["s"])),
        "t": float(anonymity.t_closeness(table, quasi, ["s"])),
        "t_ordered": 0.0 if constant else float(anonymity.t_closeness(table, quasi, ["n"])),
        "beta": float(anonymity.basic_beta_likeness(table, quasi, ["s"])),
        "delta": float(anonymity.delta_disclosure(table, quasi, ["s"])),
    }


if __name__ == "__main__":
    json.dump([figures(path) for path in sys.argv[1:]], sys.stdout)
