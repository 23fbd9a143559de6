"""Loops over the rows of a part."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import compiled
from techniques.engines.columns import CHANGED, SUPPRESSED


@compiled
def count_changes(codes, keep, change):
    """How many cells changed and how many were suppressed in the n rows still there."""
    changed = 0
    suppressed = 0
    for row in range(len(codes)):
        if keep[row]:
            # Code -1 finds the last entry, that of a missing value.
            kind = change[codes[row]]
            changed += kind == CHANGED
            suppressed += kind == SUPPRESSED
    return changed, suppressed
