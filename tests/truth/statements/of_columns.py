"""What the search says of a column: its name in the metadata table, and the forms of its values."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from techniques.core.messages import filled
from techniques.identification.metadata.lookup import lookup
from techniques.identification.rules import scan
from techniques.identification.verdict import suggest
from tests.truth.statements import Statement, says
from tests.truth.tables import CSV, File, _bytes, matching, people


@dataclass(frozen=True)
class Column:
    """A column by its name and its cells."""

    name: str
    cells: Sequence[str]

    def says(self, message: str) -> set[str]:
        rows = [{self.name: cell, "备注": "无"} for cell in self.cells]
        file = File(lambda: io.BytesIO(_bytes(rows)), CSV, len(rows))
        found = suggest([self.name], lookup([self.name]), scan(file.batches(), [self.name]))[self.name]
        return matching({filled(one.message, one.params) for one in found.provenance}, message)

    def has(self, pattern: str) -> int:
        return sum(bool(re.fullmatch(pattern, cell)) for cell in self.cells)


_PHONES = [row["手机"] for row in people()]
TABLES: Mapping[str, Any] = {
    "phones": lambda: Column("手机号", _PHONES),
    "phones by another name": lambda: Column("手机 号", _PHONES),
    "phones by a longer name": lambda: Column("家长手机号2", _PHONES),
    "phones by no name": lambda: Column("甲", _PHONES),
    "phones in texts": lambda: Column("甲", [f"请致电{phone}，谢谢" if n < 20 else "无" for n, phone in enumerate(_PHONES)]),
    "row numbers": lambda: Column("甲", [str(n) for n in range(1, 61)]),
    "words": lambda: Column("甲", ["流感", "肺炎", "哮喘"] * 20),
    "codes": lambda: Column("甲", [f"X{n * 7919 % 9973:05}" for n in range(1, 61)]),
    "half different": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" if n % 3 else "0.5" for n in range(1, 61)]),
    "all different": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" for n in range(1, 61)]),
}  # fmt: skip


@cache
def judge(name: str) -> Column:
    return TABLES[name]()


_PHONE = r"139\d{8}"
_NAMES = "phones | phones by another name | phones by a longer name | phones by no name"
_VALUES = "row numbers | phones by no name | phones in texts | words | all different"
STATEMENTS: list[Statement] = [
    says("The name is “%(alias)s” in", _NAMES, lambda c: {"alias": c.name} if c is judge("phones") else []),
    says("The name corresponds to", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by another name") else []),
    says("The name contains “%(alias)s” of", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by a longer name") else []),
    says("%(hits)d whole values and %(inside)d texts", _VALUES, lambda c: [
        {"hits": c.has(_PHONE), "inside": inside, "checked": 0} for inside in [c.has(rf".+{_PHONE}.*")] if inside]),
    says("%(hits)d values have the form", _VALUES, lambda c: {"hits": c.has(_PHONE), "checked": 0} if c.has(_PHONE) else []),
    says("The values count the rows.", _VALUES, lambda c: c is judge("row numbers")),
    says("The values are different in nearly every row or", f"{_VALUES} | codes", lambda c: len({*c.cells}) == len(c.cells) and c is not judge("row numbers")),
    says("At least half of the rows with a value hold one that few others share.", f"{_VALUES} | codes | half different", lambda c: [
        {} for often in [Counter(c.cells)] if len(often) < len(c.cells) and sum(often[cell] < 5 for cell in c.cells) >= len(c.cells) / 2]),
]  # fmt: skip
