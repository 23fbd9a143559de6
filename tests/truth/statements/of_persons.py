"""Whose rows a table holds: what each choice would mean, counted from the rows."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from django.utils import translation

from projects.core.numbers import count
from projects.identification.models import IdentificationRound, PersonKey
from projects.identification.persons.counts import Counted, persons_count
from projects.identification.persons.presentation import alternatives, choices_of, decision_text
from projects.identification.persons.selectors import Candidate
from techniques.core.messages import EngineError
from techniques.identification.subjects import ask_whose, find_subjects, subject_hints
from techniques.tables.dictionary import encode_columns
from tests.truth.statements import Statement, says
from tests.truth.tables import CSV, File, Row, _bytes, _parts, matching, people


@dataclass(frozen=True)
class Whose:
    """Rows, the key that is looked at, and what was decided: a key, that one row is one person, or nothing."""

    rows: Sequence[Row]
    key: str = "病历号"
    counted: bool = True
    found: bool = True
    link: str = ""
    decided: tuple[str, ...] | None = None
    scanned: bool = False
    """Whether the figures are those of the scan, which counts by what looks like a key and repeats."""

    def says(self, message: str) -> set[str]:
        content = _bytes(self.rows)
        file = File(lambda: io.BytesIO(content), CSV, len(self.rows))
        counted = persons_count(file.batches(), [self.key]) if self.counted else None
        if self.scanned:
            hints = subject_hints(encode_columns(file.batches(), [self.key]))
            counted = Counted.of(hints[0].columns, hints[0], hints[0].kind) if hints else None
        candidate = Candidate((self.key,), counted, self.found, self.link)
        round_ = cast(IdentificationRound, SimpleNamespace(report={"rows": len(self.rows)}))
        key = (
            None
            if self.decided is None
            else PersonKey(columns=[*self.decided], counted=counted.as_json() if counted else {})
        )
        with translation.override("en"):
            choices = choices_of(round_, [candidate], key)
            texts = [text for one in choices for text in (one.label, one.lead, *one.why)]
            texts += [text for _name, text in alternatives([candidate])]
            texts.append(decision_text(round_, key))
        try:
            ask_whose(find_subjects(file.batches, [self.key]))
        except EngineError as error:
            texts.append(str(error))
        return matching([part for text in texts for part in [text, *_parts(text)]], message)

    @property
    def sizes(self) -> Counter[Any]:
        """Rows of each person; who has no key is somebody of their own."""
        return Counter(row[self.key] or place for place, row in enumerate(self.rows))

    @property
    def unknown(self) -> int:
        return sum(not row[self.key] for row in self.rows)


def _visits(persons: int, *, rows: int = 80, unknown: int = 0) -> list[Row]:
    found = [
        {"病历号": f"SL{10_000_000 + 7 * (n % persons)}", "诊断": row["诊断"]}
        for n, row in enumerate(people(rows))
    ]
    return [{**row, "病历号": ""} if n < unknown else row for n, row in enumerate(found)]


TABLES: Mapping[str, Any] = {
    "visits": lambda: Whose(_visits(40)),
    "visits of few": lambda: Whose(_visits(30, rows=70), decided=("病历号",)),
    "one unknown": lambda: Whose(_visits(40, unknown=1)),
    "some unknown": lambda: Whose(_visits(40, unknown=5), decided=("病历号",)),
    "a row each": lambda: Whose(_visits(80), decided=()),
    "not counted": lambda: Whose(_visits(40), counted=False, found=False),
    "asked for": lambda: Whose(_visits(40), found=False),
    "scanned": lambda: Whose(_visits(40), scanned=True),
    "scanned, a row each": lambda: Whose(_visits(80), scanned=True),
    "linked": lambda: Whose(_visits(40), found=False, link="visits → patients"),
}


@cache
def judge(name: str) -> Whose:
    return TABLES[name]()


def _figures(w: Whose) -> dict[str, str]:
    rows, persons = len(w.rows), len(w.sizes)
    return {
        "rows": count(rows), "persons": count(persons), "gone": count(rows - persons), "most": count(max(w.sizes.values())),
        "columns": w.key, "unknown": count(w.unknown),
        "figures": f"{count(persons)} persons in {count(rows)} rows; the person with the most has {count(max(w.sizes.values()))}.",
    }  # fmt: skip


def _if(of: Any) -> Any:
    return lambda w: _figures(w) if of(w) else []


def _repeats(w: Whose) -> bool:
    return w.counted and max(w.sizes.values()) > 1


def _sign(w: Whose) -> bool:
    return _repeats(w) and (w.found or bool(w.link))


_ALL = "visits | visits of few | one unknown | some unknown | a row each | not counted | asked for | linked"
_SCANNED = "scanned | scanned, a row each"
STATEMENTS: list[Statement] = [
    says("%(persons)s persons in %(rows)s rows; the person", _ALL, lambda w: [
        _figures(w) | {"persons": before + _figures(w)["persons"]} for before in ("", "By the key 病历号: ")
        if w.counted and (not before or w.decided == (w.key,))]),
    says("In %(unknown)s row the key is missing", _ALL, _if(lambda w: w.counted and w.unknown == 1)),
    says("In %(unknown)s rows the key is missing", _ALL, _if(lambda w: w.counted and w.unknown > 1)),
    says("The rows have not been counted by this key yet", _ALL, lambda w: not w.counted),
    says("Each of the %(rows)s rows counts as", "visits | a row each | visits of few", _if(lambda w: True)),
    says("According to %(columns)s that looks wrong", _ALL, _if(_sign)),
    says("The link %(link)s says that its values stand", _ALL, lambda w: {"link": w.link} if w.link else []),
    says("Someone had the rows of each person counted", _ALL, lambda w: not w.link),
    says("The scan identifies it as this kind", f"{_ALL} | {_SCANNED}", lambda w: [
        {"kind": "Medical record number"}] if w.scanned and _repeats(w) else []),
    says("All %(rows)s rows stay as they are", _ALL, _if(_repeats)),
    says("%(persons)s rows remain; what", _ALL, _if(_repeats)),
    says("%(persons)s rows, one for each person", _ALL, _if(_repeats)),
    says("%(persons)s rows with up to %(most)s groups", _ALL, _if(_repeats)),
    says("Nobody has stated whose rows they are; everything", _ALL, lambda w: w.decided is None),
    says("One row is one person: %(rows)s rows are", _ALL, _if(lambda w: w.decided == ())),
    says("By the key %(columns)s: %(figures)s", _ALL, _if(lambda w: w.decided == (w.key,))),
    says("so persons seem to have several rows, up to", _ALL, lambda w: [
        {"column": w.key, "persons": len({r[w.key] for r in w.rows} - {""}), "rows": len(w.rows) - w.unknown, "most": max(w.sizes.values())}
    ] if max(w.sizes.values()) > 1 else []),
]  # fmt: skip
