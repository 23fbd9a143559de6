"""What the search says of a column: its name in the metadata table, and the forms of its values."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils import translation

from projects.core.numbers import count, percent
from projects.identification import wording
from projects.identification.reports import column_report
from projects.identification.scanning import _scan_json
from techniques.core.kinds import KINDS
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
        scanned, known = scan(file.batches(), [self.name]), lookup([self.name])
        found = suggest([self.name], known, scanned)[self.name]
        said = {filled(one.message, one.params) for one in found.provenance}
        # What the page of the column says of the same findings.
        content = {
            "column": self.name, "position": 0, "scan": _scan_json(scanned.columns[self.name]), "suggestion": None,
            "lookup": {"kind": one.kind, "role": one.role.value, "alias": one.matched_alias, "how": one.how.value, "confidence": 1.0}
            if (one := known.get(self.name)) else None,
        }  # fmt: skip
        report = column_report(content)
        with translation.override("en"):
            names = {code: kind.name for code, kind in KINDS.items()}
            said |= {text for one in report.findings for text in wording.finding(report, one, names)}
            said |= {wording.lookup(report.lookup)} if report.lookup else set()
        return matching(said, message)

    @property
    def counts(self) -> Counter[str]:
        """How often each value stands in the column."""
        return Counter(filter(None, self.cells))

    @property
    def present(self) -> int:
        return self.counts.total()

    @property
    def shared_by_few(self) -> float:
        """Share of the cells whose value stands in fewer than five rows."""
        return sum(n for n in self.counts.values() if n < 5) / self.present

    def has(self, pattern: str) -> int:
        return sum(bool(re.fullmatch(pattern, cell)) for cell in self.cells)

    def inside(self, pattern: str) -> int:
        """In how many longer texts the pattern stands."""
        return sum(bool(re.search(pattern, cell)) for cell in self.cells) - self.has(pattern)


_PHONES = [row["手机"] for row in people()]
TABLES: Mapping[str, Any] = {
    "phones": lambda: Column("手机号", _PHONES),
    "phones by another name": lambda: Column("手机 号", _PHONES),
    "phones by a longer name": lambda: Column("家长手机号2", _PHONES),
    "phones by no name": lambda: Column("甲", _PHONES),
    "phones in texts": lambda: Column("甲", [f"请致电{phone}，谢谢" if n < 20 else "无" for n, phone in enumerate(_PHONES)]),
    "a phone in a text": lambda: Column("甲", [f"请致电{phone}，谢谢" if n < 1 else f"第{n}次" for n, phone in enumerate(_PHONES)]),
    "phones and others": lambda: Column("甲", [phone if n < 45 else "无" for n, phone in enumerate(_PHONES)]),
    "cards, some wrong": lambda: Column("甲", _cards(9)),
    "cards": lambda: Column("甲", _cards(0)),
    "cards in texts": lambda: Column("甲", [f"卡号{card}，勿外传" if n < 20 else "无" for n, card in enumerate(_cards(0))]),
    "cards, some in texts": lambda: Column("甲", [f"卡号{card}，勿外传" if n < 20 else card for n, card in enumerate(_cards(0))]),
    "identity numbers in texts": lambda: Column("甲", [f"证号{n}，已核" if i < 20 else "无" for i, n in enumerate(_identities())]),
    "identity numbers, some in texts": lambda: Column("甲", [f"证号{n}，已核" if i < 20 else n for i, n in enumerate(_identities())]),
    "phones, some in texts": lambda: Column("甲", [f"请致电{phone}，谢谢" if n < 20 else phone for n, phone in enumerate(_PHONES)]),
    "codes of persons": lambda: Column("甲", [f"KX{10_000_000 + 7919 * (n % 30)}" for n in range(90)]),
    "codes of more persons": lambda: Column("甲", [f"KX{10_000_000 + 7919 * (n % 45)}" for n in range(90)]),
    "mostly rare": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" for n in range(36)] + ["1.5"] * 24),
    "seldom rare": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" for n in range(20)] + ["1.5"] * 40),
    "half empty": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" if n % 2 else "" for n in range(60)]),
    "mostly empty": lambda: Column("甲", ["4.1", "4.2", "4.7", *[""] * 57]),
    "row numbers": lambda: Column("甲", [str(n) for n in range(1, 61)]),
    "words": lambda: Column("甲", ["流感", "肺炎", "哮喘"] * 20),
    "codes": lambda: Column("甲", [f"X{n * 7919 % 9973:05}" for n in range(1, 61)]),
    "half different": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" if n % 3 else "0.5" for n in range(1, 61)]),
    "all different": lambda: Column("甲", [f"{n * 7919 % 9973}.{n * 31 % 97:02}" for n in range(1, 61)]),
}  # fmt: skip


def _cards(wrong: int) -> list[str]:
    """Numbers of bank cards with the check digit of ISO/IEC 7812, or so many with another one."""
    found = []
    for n in range(60):
        body = f"622202100{n * 7919 % 10**9:09}"
        digits = [int(one) * (1 + (place % 2 == 0)) for place, one in enumerate(reversed(body))]
        check = -sum(one // 10 + one % 10 for one in digits) % 10
        found.append(body + str((check + (n < wrong)) % 10))
    return found


def _identities() -> list[str]:
    """Identity numbers with the check digit of GB 11643."""
    found = []
    for n in range(60):
        body = f"110105194912{1 + n % 28:02}{n * 13 % 1000:03}"
        left = sum(int(one) * 2 ** (17 - place) for place, one in enumerate(body)) % 11
        found.append(body + "10X98765432"[left])
    return found


@cache
def judge(name: str) -> Column:
    return TABLES[name]()


def _written(c: Column) -> Any:
    """The kinds of which whole values have the form, and how many."""
    forms = {"Telephone number": _PHONE, "Bank card number": r"622202\d{13}"}
    for kind, form in forms.items():
        if hits := c.has(form):
            yield {
                "hits": count(hits),
                "present": count(c.present),
                "share": percent(hits / c.present),
                "kind": kind,
            }


def _inside(c: Column) -> Any:
    for kind, form in {"Telephone number": rf".+{_PHONE}.*"}.items():
        if hits := c.has(form):
            yield {
                "hits": count(hits),
                "present": count(c.present),
                "share": percent(hits / c.present),
                "kind": kind,
            }


def _figures(c: Column) -> dict[str, str]:
    distinct = len(c.counts)
    return {"distinct": count(distinct), "present": count(c.present), "share": percent(distinct / c.present)}


def _unique(c: Column) -> bool:
    return c is not judge("row numbers") and len(c.counts) >= 0.95 * len(c.cells)


def _rare(c: Column) -> bool:
    """Neither different throughout nor codes of one form, which is more telling."""
    return (
        not _unique(c) and c.shared_by_few >= 0.5 and c is not judge("row numbers") and not c.has(r"KX\d{8}")
    )


def _luhn(cell: str) -> bool:
    if not re.fullmatch(r"\d{19}", cell):
        return False
    digits = [int(one) * (1 + place % 2) for place, one in enumerate(reversed(cell))]
    return sum(one // 10 + one % 10 for one in digits) % 10 == 0


_PHONE = r"139\d{8}"
_CARD = r"622202\d{13}"
_IDENTITY = r"1101051949\d{7}[\dX]"
_INSIDE = "cards in texts | cards, some in texts | phones, some in texts | identity numbers in texts | identity numbers, some in texts"
_NAMES = "phones | phones by another name | phones by a longer name | phones by no name"
_VALUES = "row numbers | phones by no name | phones in texts | words | all different"
_WORDS = f"{_VALUES} | mostly rare | seldom rare | half empty | mostly empty | codes of persons | codes of more persons"
_FORMS = f"{_VALUES} | a phone in a text | phones and others | cards | cards, some wrong"
STATEMENTS: list[Statement] = [
    says("The name is “%(alias)s” in", _NAMES, lambda c: {"alias": c.name} if c is judge("phones") else []),
    says("The name corresponds to", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by another name") else []),
    says("The name contains “%(alias)s” of", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by a longer name") else []),
    says("%(inside)d texts contain something of the form.", f"{_INSIDE} | {_VALUES}", lambda c: [
        {"inside": n} for n in [c.inside(_PHONE) + c.inside(_CARD)] if n and not c.has(_PHONE) + c.has(_CARD)]),
    says("%(inside)d texts contain something of the form, %(checked)d", f"{_INSIDE} | {_VALUES}", lambda c: [
        {"inside": n, "checked": n} for n in [c.inside(_IDENTITY)] if n and not c.has(_IDENTITY)]),
    says("%(hits)d values have the form and %(inside)d texts contain something of it; none", f"{_INSIDE} | {_VALUES}", lambda c: [
        {"hits": c.has(_PHONE), "inside": n} for n in [c.inside(_PHONE)] if n and c.has(_PHONE)]),
    says("%(hits)d values have the form and %(inside)d texts contain something of it, %(checked)d", f"{_INSIDE} | cards", lambda c: [
        {"hits": n, "inside": m, "checked": n + m * (form == _IDENTITY)} for form in (_CARD, _IDENTITY) for n, m in
        [(c.has(form), c.inside(form))] if n and m]),
    says("%(hits)d values have the form; none is proven.", f"{_VALUES} | cards | {_INSIDE}", lambda c: [
        {"hits": n} for n in [c.has(_PHONE)] if n and not c.inside(_PHONE)]),
    says("%(hits)d values have the form, %(checked)d of them proven.", f"{_VALUES} | cards | {_INSIDE}", lambda c: [
        {"hits": n, "checked": n} for n in [c.has(_CARD)] if n and not c.inside(_CARD)]),
    says("The values count the rows.", _VALUES, lambda c: c is judge("row numbers")),
    says("The values are different in nearly every row or", f"{_WORDS} | codes", lambda c: _unique(c) or c.has(r"KX\d{8}") > 0),
    says("the name is in the metadata table (", _NAMES, lambda c: {"alias": c.name} if c is judge("phones") else []),
    says("the name is in the metadata table in another", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by another name") else []),
    says("the name contains", _NAMES, lambda c: {"alias": "手机号"} if c is judge("phones by a longer name") else []),
    says("At least half of the rows with a value hold one that few others share.", f"{_WORDS} | codes | half different", _rare),
    says("Nearly every row has a unique value", f"{_WORDS} | codes", lambda c: _figures(c) if _unique(c) else []),
    says("At least half of the rows with a value have one that few others share: ", f"{_WORDS} | half different", lambda c: _figures(c) if _rare(c) else []),
    says("Codes of the same form,", _WORDS, lambda c: _figures(c) if c.has(r"KX\d{8}") == len(c.cells) else []),
    says("%(hits)s of %(present)s values", _FORMS, lambda c: list(_written(c))),
    says("Inside the longer text of", _FORMS, lambda c: [one for one in _inside(c) if one["hits"] == "1"]),
    says("Inside the longer texts of", _FORMS, lambda c: [one for one in _inside(c) if one["hits"] != "1"]),
    says("%(checked)s of them pass", _FORMS, lambda c: [
        {"checked": n} for n in [sum(map(_luhn, c.cells))] if n]),
]  # fmt: skip
