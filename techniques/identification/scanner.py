"""Scanning one column, batch by batch: the engine under :func:`techniques.identification.rules.scan`.

A batch is reduced to its distinct values with their counts. Arrow then leaves out, in a few passes
over those, what cannot be an identifier and what is one as a whole; only the rest, text in which
something may hide, is searched by Python, and by the rules alone whose first test it passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.kinds import KINDS
from techniques.identification import check_blocks, names, patterns
from techniques.identification.distinct import DistinctCounter
from techniques.identification.keys import ALIKE, KeyWatch
from techniques.identification.metadata.forms import ValueForm
from techniques.identification.patterns import Rule, Strength
from techniques.identification.reports import ColumnScan, Finding
from techniques.identification.vocabulary import CATEGORIES
from techniques.tables.dictionary import MISSING, CountedValues, codes_of
from techniques.values import buffers
from techniques.values.characters import Characters, Sort
from techniques.values.written import LEAST_RUN, normalise

Mask = npt.NDArray[np.bool_]
FIRST_ROWS_KEPT = 5
_OF_NUMBERS = Sort.DIGIT | Sort.POINT | Sort.COMMA | Sort.PLUS | Sort.JOINT
_OF_WORDS = Sort.CAPITAL | Sort.SMALL | Sort.STAR | Sort.JOINT
_BETWEEN_DATES = Sort.JOINT | Sort.SIGN | Sort.POINT | Sort.HAN
_OF_DATES = _BETWEEN_DATES | Sort.DIGIT | Sort.CAPITAL | Sort.PLUS | Sort.BLANK
_MOST_BEYOND_ASCII_IN_DATE = 2 * 4
"""Bytes that the signs of year, month and day have more than one each."""
_OF_LATIN = (
    Sort.CAPITAL | Sort.SMALL | Sort.JOINT | Sort.POINT | Sort.COMMA | Sort.PLUS | Sort.BLANK | Sort.SIGN
)
_MANY_DISTINCT = 1000  # a column of categories has fewer in any batch

_SORTS_OF_ODD_FORMS = Sort.LATIN_1 | Sort.MARK | Sort.IDEOGRAPHIC | Sort.WIDE
_HIDING, _SORTS_OF_HIDING = "[*＊×█]", Sort.STAR | Sort.LETTER | Sort.MARK | Sort.WIDE


def matches(texts: pa.Array, expression: str) -> Mask:
    """Which of ``texts`` contain a match of the RE2 ``expression``."""
    found: Mask = pc.match_substring_regex(texts, expression).to_numpy(zero_copy_only=False)
    return found


def matches_among(texts: pa.Array, among: Mask, expression: str) -> Mask:
    """Which of ``texts`` contain a match of the RE2 ``expression``, of which it is known that only those ``among`` them can."""
    places = np.flatnonzero(among)
    if len(places) == len(texts):
        return matches(texts, expression)
    found = np.zeros(len(texts), dtype=np.bool_)
    if len(places):
        found[places] = matches(texts.take(pa.array(places)), expression)
    return found


def can_be_plain(texts: Characters) -> Mask:
    """Which texts can be a plain value: words, and numbers of which those with more than seven characters have a sign in them."""
    numbers = texts.only(_OF_NUMBERS) & ((texts.sizes <= 7) | texts.some(Sort.POINT | Sort.COMMA))
    return numbers | texts.only(_OF_WORDS)


def can_be_dates(texts: Characters) -> Mask:
    """Which texts can be a date: five digits or more, in eight or with a sign between them, and few characters beyond ASCII."""
    found = texts.only(_OF_DATES) & (texts.digits >= 5)
    found &= (texts.sizes == 8) | texts.some(_BETWEEN_DATES)
    found &= texts.sizes - texts.lengths <= _MOST_BEYOND_ASCII_IN_DATE
    return found


def can_hold(texts: Characters, family: str) -> Mask:
    """Which texts can hold anything of a family of rules: of the digits ten or more; of the Latin ones a letter or sign of ASCII, or
    else six digits in a row; of the others a character beyond ASCII."""
    if family == "digits":
        return texts.digits >= 10
    return texts.some(_OF_LATIN) | (texts.digits_in_row >= 6) if family == "latin" else ~texts.ascii


def is_whole(texts: pa.Array, expression: str) -> Mask:
    """Which of ``texts`` match the RE2 ``expression`` from end to end."""
    return matches(texts, f"^(?:{expression})$")


def find_spans(text: str, rules: Sequence[Rule]) -> list[tuple[Rule, int, int]]:
    """The spans of identifiers that ``rules`` find in normalised ``text``: no two overlap, earlier rules win."""
    taken: list[tuple[Rule, int, int]] = []
    for rule in rules:
        for match in rule.compiled.finditer(text):
            start, end = match.span("it")
            for _rule, first, last in taken:
                if start < last and first < end:
                    break
            else:
                if rule.check is None or rule.check(match):
                    taken.append((rule, start, end))
    return sorted(taken, key=lambda item: item[1])


class _Batch:
    """The distinct, normalised values of one batch, and which of them still have to be looked at: ``codes`` (n,) of its rows, or None
    where the order of the rows is not known, and how many of ``rows`` have each value."""

    def __init__(
        self, texts: pa.Array, codes: npt.NDArray[np.int32] | None, counts: npt.NDArray[np.int64], rows: int
    ) -> None:
        self.codes = codes
        self.counts = counts
        self.rows = rows
        if not pa.types.is_string(texts.type):
            texts = texts.cast(pa.string())
        texts = pc.fill_null(texts, "") if texts.null_count else texts
        characters = Characters.of(texts)
        if characters.blank.any():
            bare = pc.utf8_trim_whitespace(texts)
            if not bare.equals(texts):
                texts, characters = bare, Characters.of(bare)
        odd = characters.some(_SORTS_OF_ODD_FORMS)
        if odd.any():
            plain, changed = buffers.plain_forms(texts if odd.all() else texts.filter(pa.array(odd)))
            if changed.any():
                plain = pc.utf8_trim_whitespace(plain)
                texts = plain if odd.all() else pc.replace_with_mask(texts, pa.array(odd), plain)
                characters = Characters.of(texts)
        long = characters.numerals_in_row >= LEAST_RUN
        if long.any():
            read = [normalise(text) for text in texts.filter(pa.array(long)).to_pylist()]
            texts = pc.replace_with_mask(texts, pa.array(long), pa.array(read, pa.string()))
            characters = Characters.of(texts)
        self.texts = texts
        self.characters = characters
        self.empty: Mask = characters.sizes == 0
        self.open: Mask = ~self.empty
        self.ascii_only: Mask = characters.ascii
        self.addresses: Mask = np.zeros(len(texts), dtype=np.bool_)
        self.counted: dict[str, Mask] = {}
        """The values that were counted as a kind."""

    @property
    def present(self) -> pa.Array:
        """The texts that are not empty, while all of them are open."""
        return self.texts if self.open.all() else self.texts.filter(pa.array(self.open))

    @classmethod
    def of(cls, cells: CountedValues) -> _Batch:
        """A whole column of which only is known how many rows have each value."""
        each_once = cells.rows == len(cells.values) and not cells.missing
        codes = np.arange(cells.rows, dtype=np.int32) if each_once else None
        return cls(cells.values, codes, cells.counts, cells.rows)


class ColumnScanner:
    """Collects what one column holds. Feed the batches in order, then ask for the result. ``forms`` are rules of an organisation's
    own: they find beside what the portal's rules find, and hide nothing from them."""

    def __init__(self, name: str, forms: Sequence[ValueForm] = ()) -> None:
        self.name = name
        self._forms = forms
        self.rows = 0
        self.present = 0
        self.masked = 0
        self._hits: dict[str, int] = defaultdict(int)
        self._substring_hits: dict[str, int] = defaultdict(int)
        self._checked: dict[str, int] = defaultdict(int)
        self._strength: dict[str, int] = defaultdict(int)
        self._first_rows: dict[str, list[int]] = defaultdict(list)
        self._distinct = DistinctCounter()
        self._keys = KeyWatch()

    def feed(self, column: pa.Array) -> None:
        """Take the next batch's values (Arrow strings or dictionary of strings, null for missing)."""
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        codes = codes_of(encoded)
        present = codes[codes >= 0] if encoded.indices.null_count else codes
        counts = np.bincount(present, minlength=len(encoded.dictionary)).astype(np.int64)
        self._take(_Batch(encoded.dictionary, codes, counts, len(codes)))

    def feed_counted(self, cells: CountedValues) -> None:
        """As :meth:`feed` of a whole column of which only is known how many rows have each value: all that is found but for the first
        rows."""
        self._take(_Batch.of(cells))

    def whole(self, cells: CountedValues) -> ColumnScan:
        """What :meth:`feed_counted` of the whole column finds, of a scanner that was fed the column in batches and without ``forms``:
        no value is searched again, but what says whether the column is a key is judged by all values at once."""
        counted = ColumnScanner(self.name)
        counted.merge(self)
        if len(cells.values) > _MANY_DISTINCT:
            for kind in CATEGORIES:
                counted._hits.pop(kind, None)
        if not self._keys.is_settled:
            counted._keys = KeyWatch()
            batch = _Batch.of(cells)
            if batch.open.any():
                counted._watch_keys(batch)
        return counted.result()

    def _take(self, batch: _Batch) -> None:
        if batch.open.any():
            self._distinct.add(batch.present, batch.counts[batch.open])
            self.present += int(batch.counts[batch.open].sum())
            hiding = matches_among(batch.texts, batch.characters.some(_SORTS_OF_HIDING), _HIDING)
            self.masked += int(batch.counts[hiding].sum())
            self._watch_keys(batch)
            self._whole_values(batch)
            self._inside_texts(batch)
            self._own_forms(batch)
        elif batch.rows:
            self._keys.break_sequence()
        self.rows += batch.rows

    def _watch_keys(self, batch: _Batch) -> None:
        characters, counts = batch.characters, batch.counts
        if not batch.open.all():
            characters, counts = characters.at(batch.open), counts[batch.open]
        self._keys.add(characters, counts)
        # Where each value occurs once their order is that of the rows; where one occurs again nothing counts the rows.
        again = np.full(1, MISSING, np.int32)
        self._keys.follow(batch.texts, batch.characters, again if batch.codes is None else batch.codes)

    def merge(self, later: ColumnScanner) -> None:
        """Take over what another one has found in the rows behind those that were fed here."""
        for kind, rows in later._first_rows.items():
            moved = {*self._first_rows[kind], *(row + self.rows for row in rows)}
            self._first_rows[kind] = sorted(moved)[:FIRST_ROWS_KEPT]
        for kind, strength in later._strength.items():
            self._strength[kind] = max(self._strength[kind], strength)
        for own, theirs in (
            (self._hits, later._hits),
            (self._substring_hits, later._substring_hits),
            (self._checked, later._checked),
        ):
            for kind, number in theirs.items():
                own[kind] += number
        self._distinct.merge(later._distinct)
        self._keys.merge(later._keys)
        self.rows += later.rows
        self.present += later.present
        self.masked += later.masked

    # -- whole values ---------------------------------------------------------------------------

    def _whole_values(self, batch: _Batch) -> None:
        if len(batch.texts) <= _MANY_DISTINCT:
            for kind, values in CATEGORIES.items():
                known = pc.is_in(batch.texts, pa.array(sorted(values))).to_numpy(zero_copy_only=False)
                self._count(batch, kind, known & batch.open, Strength.FORM)
        ascii_only = batch.ascii_only
        self._settle(batch, None, can_be_plain(batch.characters), patterns.PLAIN_VALUE)
        self._settle(batch, ("date", Strength.FORM), can_be_dates(batch.characters), patterns.DATE_WHOLE)
        self._codes_by_length(batch, ascii_only)
        places, texts = self._rest(batch, ascii_only)
        known = _mask(places[is_whole(texts, patterns.ASCII_WHOLE)], len(batch.texts))
        among = {"chinese": ~ascii_only, "digits": known, "latin": known & batch.characters.some(_OF_LATIN)}
        for rule in patterns.RULES:
            if rule.whole:
                self._settle(batch, (rule.kind, rule.strength), among[rule.family], rule.whole)
        self._names_and_places(batch, ~ascii_only)

    def _rest(self, batch: _Batch, among: Mask | None) -> tuple[npt.NDArray[np.int64], pa.Array]:
        places = np.flatnonzero(batch.open if among is None else batch.open & among)
        whole_batch = len(places) == len(batch.texts)
        return places, batch.texts if whole_batch else batch.texts.take(pa.array(places))

    def _settle(
        self, batch: _Batch, kind: tuple[str, Strength] | None, among: Mask | None, expression: str
    ) -> None:
        """Count the open values that match as a whole, and close them: nothing else is in them."""
        places, texts = self._rest(batch, among)
        if len(places) == 0:
            return
        found = places[is_whole(texts, expression)]
        if len(found) == 0:
            return
        if kind is not None:
            self._count(batch, kind[0], _mask(found, len(batch.texts)), kind[1])
        batch.open[found] = False

    def _codes_by_length(self, batch: _Batch, ascii_only: Mask) -> None:
        """Identifiers of fixed length with a check digit, by arithmetic on their bytes."""
        lengths = pc.binary_length(batch.texts).to_numpy(zero_copy_only=False)

        def settle(
            kind: str, strength: Strength, places: npt.NDArray[np.int64], proven: bool = False
        ) -> None:
            if len(places):
                self._count(batch, kind, _mask(places, len(batch.texts)), strength, proven)
                batch.open[places] = False

        def candidates(length: int, expression: str) -> tuple[npt.NDArray[np.int64], pa.Array]:
            places, texts = self._rest(batch, ascii_only & (lengths == length))
            if len(places) == 0:
                return places, texts
            fits = is_whole(texts, expression)
            return places[fits], texts.filter(pa.array(fits))

        left = lengths[batch.open & ascii_only]
        present = {length for length in range(15, 20) if (left == length).any()}
        if 18 in present:
            places, texts = candidates(18, "[0-9]{17}[0-9Xx]")
            shape, valid = check_blocks.id_number_block(texts)
            settle("id_number", Strength.PROVEN, places[valid], proven=True)
            places, texts = candidates(18, "[0-9A-HJ-NPQRTUWXY]{18}")
            settle("credit_code", Strength.PROVEN, places[check_blocks.credit_code_block(texts)], proven=True)
            places, texts = candidates(18, "[0-9]{17}[0-9Xx]")
            shape, valid = check_blocks.id_number_block(texts)
            settle("id_number_like", Strength.SEGMENT, places[shape])
        if 17 in present:
            places, texts = candidates(17, "[0-9A-HJ-NPR-Z]{17}")
            settle("vin", Strength.SEGMENT, places[check_blocks.vin_block(texts)])
        for length in sorted(present):
            places, texts = candidates(length, f"62[0-9]{{14,17}}|{patterns.CARD_BY_LUHN}")
            if len(places):
                valid = check_blocks.luhn_block(texts, length)
                union_pay = matches(texts, "^62")
                settle("bank_card", Strength.SEGMENT, places[valid], proven=True)
                settle("bank_card", Strength.SEGMENT, places[union_pay & ~valid])
        if 15 in present:
            places, texts = candidates(15, "[0-9]{15}")
            settle("id_number", Strength.FORM, places[check_blocks.old_id_number_block(texts)])
            places, texts = candidates(15, "(01|35|86|99)[0-9]{13}")
            settle("device_id", Strength.FORM, places[check_blocks.luhn_block(texts, 15)])

    def _names_and_places(self, batch: _Batch, not_ascii: Mask) -> None:
        spaced = ~not_ascii & batch.characters.some(Sort.BLANK)
        self._settle(batch, ("person_name", Strength.FORM), spaced, names.LATIN_NAME_WHOLE)
        # Neither a name nor a region has a digit in it; an address nearly always.
        undigited = not_ascii & ~batch.characters.some(Sort.DIGIT)
        places, texts = self._rest(batch, undigited)
        if len(places) and (named := is_whole(texts, names.NAME_WHOLE)).any():
            named[named] = ~matches(texts.filter(pa.array(named)), names.NOT_A_NAME)
            self._count(batch, "person_name", _mask(places[named], len(batch.texts)), Strength.FORM)
            batch.open[places[named]] = False
        self._settle(batch, ("region", Strength.FORM), undigited, patterns.REGION_WHOLE)
        places, texts = self._rest(batch, not_ascii)
        if len(places):
            # An address stays open: a telephone number may follow it in the same cell.
            addresses = places[is_whole(texts, patterns.ADDRESS_WHOLE)]
            batch.addresses = _mask(addresses, len(batch.texts))
            self._count(batch, "address", batch.addresses, Strength.FORM)

    # -- inside texts ---------------------------------------------------------------------------

    def _inside_texts(self, batch: _Batch) -> None:
        tests: list[tuple[Rule, Mask]] = []
        for family, gate in patterns.GATES.items():
            among = can_hold(batch.characters, family)
            places, texts = self._rest(batch, among & ~batch.addresses if family == "address" else among)
            if len(places) == 0:
                continue
            passed = matches(texts, gate)
            if not passed.any():
                continue
            places, texts = places[passed], texts.filter(pa.array(passed))
            rules = [rule for rule in patterns.RULES if rule.family == family]
            # Codes pass one or two of the tests, texts many.
            each = _passing if batch.ascii_only[places].all() else _tested
            for rule, fit in each(texts, rules):
                tests.append((rule, _mask(places[fit], len(batch.texts))))
        if not tests:
            return
        tests.sort(key=lambda item: patterns.RULES.index(item[0]))
        # The rules that each value is to be searched by, as the bits of one number.
        bits = np.zeros(len(batch.texts), dtype=np.int64)
        for place, (_rule, mask) in enumerate(tests):
            bits[mask] |= 1 << place
        wanted = np.flatnonzero(bits)
        chosen = {
            key: [rule for place, (rule, _mask) in enumerate(tests) if key >> place & 1]
            for key in np.unique(bits[wanted]).tolist()
        }
        found: dict[tuple[str, bool], set[int]] = defaultdict(set)
        proven: dict[str, set[int]] = defaultdict(set)
        searched = batch.texts.take(pa.array(wanted)).to_pylist()
        for place, key, text in zip(wanted.tolist(), bits[wanted].tolist(), searched, strict=True):
            for rule, start, end in find_spans(text, chosen[key]):
                whole = start == 0 and end == len(text)
                found[rule.kind, whole].add(place)
                self._strength[rule.kind] = max(self._strength[rule.kind], rule.strength)
                if rule.strength == Strength.PROVEN:
                    proven[rule.kind].add(place)
        for (kind, whole), at in found.items():
            # A value that is the identifier and also contains it a second time counts once.
            at = at - found.get((kind, True), set()) if not whole else at
            mask = _mask(np.fromiter(at, dtype=np.int64), len(batch.texts))
            self._count(batch, kind, mask, None, inside=not whole)
        for kind, at in proven.items():
            self._checked[kind] += int(batch.counts[list(at)].sum())

    # -- the organisation's own -------------------------------------------------------------------

    def _own_forms(self, batch: _Batch) -> None:
        """Values as a whole, the whole batch: what is settled for other rules may be an identifier of the organisation too."""
        for form in self._forms:
            fits = is_whole(batch.texts, form.expression) & ~batch.empty
            if form.kind in batch.counted:
                fits &= ~batch.counted[form.kind]
            self._count(batch, form.kind, fits, Strength.FORM)

    # -- counting -------------------------------------------------------------------------------

    def _count(
        self,
        batch: _Batch,
        kind: str,
        values: Mask,
        strength: Strength | None,
        proven: bool = False,
        inside: bool = False,
    ) -> None:
        """Add the rows of the distinct ``values`` to the hits of ``kind``."""
        number = int(batch.counts[values].sum())
        if number == 0:
            return
        (self._substring_hits if inside else self._hits)[kind] += number
        if self._forms:
            batch.counted[kind] = batch.counted[kind] | values if kind in batch.counted else values
        if strength is not None:
            self._strength[kind] = max(self._strength[kind], strength)
            if proven or strength == Strength.PROVEN:
                self._checked[kind] += number
        kept = self._first_rows[kind]
        if len(kept) < FIRST_ROWS_KEPT and batch.codes is not None:
            rows = np.flatnonzero((batch.codes >= 0) & values[batch.codes])[:FIRST_ROWS_KEPT]
            merged = sorted({*kept, *(int(row) + self.rows + 1 for row in rows)})
            self._first_rows[kind] = merged[:FIRST_ROWS_KEPT]

    def result(self) -> ColumnScan:
        """Everything found, with the judgements that need the whole column."""
        distinct = self._distinct.distinct
        kinds = sorted({*self._hits, *self._substring_hits})
        findings = [self._finding(kind) for kind in kinds if self._hits[kind] or self._substring_hits[kind]]
        named = max((item.rate for item in findings if item.kind not in {"person_name"}), default=0.0)
        for kind, confidence, rows in self._keys.judge(
            self.rows, self.present, distinct, self._distinct.exact, known_share=named,
            rare_share=self._distinct.shared_by_few(ALIKE),
        ):  # fmt: skip
            findings.append(
                Finding(
                    kind=kind,
                    hits=self.present,
                    substring_hits=0,
                    rate=1.0,
                    substring_rate=0.0,
                    checked_hits=0,
                    strength=int(Strength.FORM),
                    confidence=confidence,
                    first_rows=rows,
                )
            )
        return ColumnScan(
            column=self.name,
            rows=self.rows,
            missing=self.rows - self.present,
            distinct=distinct,
            distinct_exact=self._distinct.exact,
            masked=self.masked,
            findings=tuple(sorted(findings, key=lambda item: -item.confidence)),
        )

    def _finding(self, kind: str) -> Finding:
        hits, inside, checked = self._hits[kind], self._substring_hits[kind], self._checked[kind]
        present = max(self.present, 1)
        return Finding(
            kind=kind,
            hits=hits,
            substring_hits=inside,
            rate=hits / present,
            substring_rate=inside / present,
            checked_hits=checked,
            strength=self._strength[kind],
            confidence=self._confidence(kind, hits, inside, checked),
            first_rows=tuple(self._first_rows[kind]),
            own_role=next((one.role for one in self._forms if one.kind == kind and kind not in KINDS), None),
        )

    def _confidence(self, kind: str, hits: int, inside: int, checked: int) -> float:
        """What the hits prove by their form, raised by the share of the column and of passed checks."""
        rate = (hits + inside) / max(self.present, 1)
        if kind == "person_name" and not inside:
            # A word may look like a name; a column of many different such words is names.
            variety = min(1.0, self._distinct.distinct / 20)
            return round(0.9 * rate * variety, 3)
        floor = {Strength.FORM: 0.3, Strength.SEGMENT: 0.7, Strength.PROVEN: 0.97}[
            Strength(self._strength[kind])
        ]
        checked_share = checked / max(hits + inside, 1)
        floor = max(floor, 0.7 + 0.27 * checked_share) if checked_share > 0.5 else floor
        return round(floor + (0.98 - floor) * rate, 3)


Passed = Iterator[tuple[Rule, npt.NDArray[np.int64]]]
"""Rules in order, and the places of the texts that pass the first test of each; of rules whose test no text passes none."""


def _passing(texts: pa.Array, rules: Sequence[Rule]) -> Passed:
    """Half of the rules is tried at a time, and of a half that some texts pass its halves."""
    if len(rules) == 1:
        yield from _tested(texts, rules)
        return
    # The bounded expressions together would have more states than RE2 keeps.
    passed = np.flatnonzero(matches(texts, "|".join(rule.prefilter for rule in rules)))
    if len(passed) == 0:
        return
    texts = texts.take(pa.array(passed))
    for half in (rules[: len(rules) // 2], rules[len(rules) // 2 :]):
        for rule, at in _passing(texts, half):
            yield rule, passed[at]


def _tested(texts: pa.Array, rules: Sequence[Rule]) -> Passed:
    """Each rule by itself."""
    for rule in rules:
        passed = np.flatnonzero(matches(texts, rule.prefilter))
        if rule.bounded is not None and len(passed):
            passed = passed[matches(texts.take(pa.array(passed)), rule.bounded)]
        if len(passed):
            yield rule, passed


def _mask(places: npt.NDArray[np.int64], length: int) -> Mask:
    mask = np.zeros(length, dtype=np.bool_)
    mask[places] = True
    return mask
