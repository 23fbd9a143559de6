"""Distinct l-diversity (B.1.2): at least l different known values occur in a class."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner


@inner
def holds(condition, counts):
    """Whether l values occur; no further ones are looked for."""
    present = 0
    for count in counts:
        if count > 0:
            present += 1
            if present >= condition.limit:
                break
    return present >= condition.limit


@inner
def rows_kept():
    """None: a part of a class has no more values than the class."""
    return 0.0
