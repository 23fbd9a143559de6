"""Column names that are personal data themselves.

Names stand in addresses, audit facts, recipes and reports, where no value of a person may stand. A file
without a row of names, confirmed as having one, would put its first person there.
"""

from __future__ import annotations

from collections.abc import Sequence

from techniques.core.messages import EngineError, gettext_noop

# Numbers and addresses that no ordinary column name looks like. The other kinds of the rule method
# (names, plates, addresses, passports, network addresses) are left out on purpose: "父亲 文化程度",
# "新C1000" or "1.2.3.4" are names of columns, and an ordinary name must never be refused.
KINDS = frozenset({"id_number", "id_number_like", "phone", "bank_card", "email"})


def personal_name(names: Sequence[str]) -> int | None:
    """The position, from 1, of the first name that holds a person's number or address; None without one."""
    from techniques.identification.rules import find_in_text

    for position, name in enumerate(names, 1):
        if find_in_text(name, KINDS):
            return position
    return None


def names_check(names: Sequence[str]) -> None:
    """``EngineError`` with the position, never the text, of a column name that is personal data."""
    position = personal_name(names)
    if position is not None:
        raise EngineError(
            "table.name.personal",
            gettext_noop(
                "The name of column %(column)s is itself personal data: it holds a telephone, identity or card "
                "number or an e-mail address. If the file has no row of column names, say so when you confirm "
                "its format; otherwise rename the column."
            ),
            column=position,
        )
