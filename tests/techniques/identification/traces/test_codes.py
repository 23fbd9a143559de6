"""Codes that were computed from an identifier without a key are found; what has nothing to do with it is not."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pyarrow as pa
import pytest

from techniques.identification.traces import codes
from techniques.identification.traces.candidates import is_part_of
from techniques.identification.traces.direct import traces
from techniques.identification.traces.telling import telling
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.drawn import id_number

_DRAW = random.Random(11643)
NUMBERS = [id_number(_DRAW) for _row in range(240)]


def column(texts: list[str]) -> EncodedColumn:
    return dictionary_encode(pa.array(texts, pa.string()))


RULES = {
    "the rest of a division": lambda text: int(text[:17]) % 4999,
    "a linear rule": lambda text: (int(text[:17]) * 31 + 7) % 65_537,
    "weights": lambda text: sum(ord(one) * (place + 2) ** 5 for place, one in enumerate(text)) % 12_343,
    "a CRC": lambda text: zlib.crc32(text.encode(), 77),
    "a digest": lambda text: zlib.adler32(text.encode()) % 7001,
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_without_a_key_is_found_beside_the_identifier(rule):
    found = [str(RULES[rule](text)) for text in NUMBERS]
    assert codes.beside(NUMBERS, found) is not None
    changed = [str(int(one) + _DRAW.randrange(3)) for one in found]
    assert codes.beside(NUMBERS, changed) is None


def test_what_was_drawn_follows_from_nothing():
    drawn = [str(_DRAW.randrange(10**6)) for _row in NUMBERS]
    assert codes.beside(NUMBERS, drawn) is None
    identifiers, held = column(NUMBERS), codes.held(column(drawn))
    assert codes.among(identifiers.values, identifiers.counts(), held) is None


def test_a_code_that_many_share_is_found_by_how_often_it_occurs():
    numbers = [f"M{number:06}" for number in _DRAW.sample(range(10**6), 3000)]
    made = [str(zlib.crc32(text.encode()) % 97) for text in numbers]
    identifiers = column(numbers)
    assert codes.among(identifiers.values, identifiers.counts(), codes.held(column(made))) is not None
    drawn = [str(_DRAW.randrange(97)) for _row in numbers]
    assert codes.among(identifiers.values, identifiers.counts(), codes.held(column(drawn))) is None


def test_a_code_that_leaves_many_originals_to_many_records_may_stay():
    # Three digits of an identity number leave as many as a mask over the others does.
    rows = [text for text in NUMBERS for _visit in range(5)]
    source = {"id": column(rows), "ward": column([str(int(text[:17]) % 17) for text in rows])}
    assert not traces(source, {"ward": source["ward"]}, ["id"])
    fine = {**source, "ward": column([str(int(text[:17]) % 9973) for text in rows])}
    (found,) = traces(fine, {"ward": column([str(int(text[:17]) % 9973) for text in NUMBERS])}, ["id"])
    assert (found.kind, found.column) == ("code", "ward")


PHONES = [f"139{number:08}" for number in _DRAW.sample(range(10**8), 240)]
BEHIND_A_MASK = {
    "its own last four digits": (lambda text: text[-4:], False),
    "the rest of a division": (lambda text: f"{int(text) % 9973:04}", True),
    "a checksum": (lambda text: f"{zlib.crc32(text.encode()) % 10_000:04}", True),
    "all digits but the network": (lambda text: text[3:], True),
}


@pytest.mark.parametrize("shown", BEHIND_A_MASK)
def test_an_identifier_shown_in_part_is_no_code_and_a_code_behind_a_mask_is_one(shown):
    part, leads_back = BEHIND_A_MASK[shown]
    masked = _DRAW.sample([f"139****{part(text)}" for text in PHONES], len(PHONES))
    found = traces({"phone": column(PHONES)}, {"phone": column(masked)}, ["phone"])
    assert bool(found) == leads_back, found
    # The digits by themselves are a code, whether they were cut out or computed.
    alone = traces({"phone": column(PHONES)}, {"phone": column([text[7:] for text in masked])}, ["phone"])
    assert alone


def test_digits_that_are_computed_and_happen_to_be_those_of_an_original_are_a_code():
    # Where the ends of many originals are nearly all that there are, it counts how many rows show each.
    phones = [f"139{number:08}" for number in _DRAW.sample(range(10**8), 2_000)]
    for part, is_mask in ((lambda text: text[-3:], True), (lambda text: f"{int(text) % 997:03}", False)):
        masked, originals = column([f"139*****{part(text)}" for text in phones]), column(phones)
        fits = is_part_of(masked.values, masked.counts(), originals.values, originals.counts())
        assert fits == is_mask


def test_persons_and_not_rows_have_to_share_a_value():
    person = np.repeat(np.arange(60, dtype=np.int32), 8)
    cells = {
        "code": column([f"c{one // 2}" for one in person]),
        "ward": column([f"w{one % 6}" for one in person]),
    }
    assert not telling(cells, 5)
    (found,) = telling(cells, 5, subjects=person)
    assert (found.column, found.rows) == ("code", 480)
    assert "persons" in found.message
