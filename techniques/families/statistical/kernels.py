"""The inner loop of controlled rounding."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled


@compiled
def rounded_up(rest, groups, starts, base):
    """Who is rounded up, rows in the order of the walk: 1 whenever the remainders add up to another base."""
    up = np.zeros(len(rest), np.int64)
    filled = starts.copy()
    for row in range(len(rest)):
        group = groups[row]
        # Compared before it is added: the sum of two numbers below the base may not fit into 64 bits.
        if rest[row] >= base - filled[group]:
            filled[group] -= base - rest[row]
            up[row] = 1
        else:
            filled[group] += rest[row]
    return up
