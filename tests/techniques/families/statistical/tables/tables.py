"""Random tables of statistics."""

from __future__ import annotations

import numpy as np

from techniques.families.statistical.tables.table import Dimension, StatisticalTable, tabulate


def random_table(seed: int, *, counts: bool = False, negative: bool = False) -> StatisticalTable:
    """Two flat dimensions, or three of which one has groups; a few dozen records, of half as many contributors
    where amounts are added up."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(number) for number in rng.integers(2, 5, 2))
    n = int(rng.integers(12, 60))
    dimensions = [
        Dimension.flat("a", [f"a{place}" for place in range(rows)]),
        Dimension.flat("b", [f"b{place}" for place in range(columns)]),
    ]
    codes = [rng.integers(1, rows + 1, n), rng.integers(1, columns + 1, n)]
    if seed % 5 == 0:
        groups, leaf = Dimension.of_rows("c", [["x", "N"], ["y", "N"], ["z", "S"]])
        dimensions[1:] = [groups]
        codes[1:] = [rng.choice(list(leaf.values()), n)]
    amounts = np.round(rng.lognormal(3, 1, n)) * (rng.choice([-1, 1], n) if negative else 1)
    if counts:
        return tabulate(dimensions, codes, None, None)
    return tabulate(dimensions, codes, amounts, rng.integers(0, n // 2, n))


def written(table: StatisticalTable, ranks: int = 2) -> str:
    """All cells of a table with who contributes, as they would be imported."""
    names = [one.name for one in table.dimensions]
    lines = [
        ",".join(
            [*names, "value", "contributors", "absolute", "alone", *(f"largest{r + 1}" for r in range(ranks))]
        )
    ]
    for cell in range(table.cells):
        labels = ["Total" if label == "*" else label for label in table.labels(cell)]
        alone = str(table.alone[cell]) if table.alone[cell] >= 0 else ""
        lines.append(
            ",".join([*labels, f"{table.values[cell]}", str(table.contributors[cell]), f"{table.absolute[cell]}", alone,
                      *(f"{value}" for value in table.largest[cell, :ranks])])
        )  # fmt: skip
    return "\n".join(lines) + "\n"
