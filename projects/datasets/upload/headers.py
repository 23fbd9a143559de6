"""Column names that are personal data themselves.

Names stand in addresses, audit facts, recipes and reports, where no value of a person may stand. A file
without a row of names, confirmed as having one, would put its first person there.
"""

from __future__ import annotations

from collections.abc import Sequence

from techniques.core.kinds import KINDS
from techniques.core.messages import EngineError, gettext_noop


def personal_name(names: Sequence[str]) -> int | None:
    """The position, from 1, of the first name that holds a person's number or address; None without one."""
    from techniques.identification.rules import find_in_text

    # Numbers and addresses only. Names, plates, addresses, passports and network addresses are left out on purpose:
    # "父亲 文化程度", "新C1000" or "1.2.3.4" are names of columns, and an ordinary name must never be refused.
    kinds = frozenset(kind.code for kind in KINDS.values() if kind.no_column_name)
    for position, name in enumerate(names, 1):
        if find_in_text(name, kinds):
            return position
    return None


def names_check(names: Sequence[str]) -> None:
    """``EngineError`` with the position, never the text, of a column name that is personal data."""
    position = personal_name(names)
    if position is not None:
        text = gettext_noop(
            "The name of column %(column)s is itself personal data: it holds a telephone, identity or card "
            "number or an e-mail address. If the file has no row of column names, say so when you confirm "
            "its format; otherwise rename the column."
        )
        raise EngineError("table.name.personal", text, column=position)
