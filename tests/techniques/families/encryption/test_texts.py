"""Bytes and code points in letters and back, against Python's own codecs."""

from __future__ import annotations

import base64

import numpy as np
import pyarrow as pa
import pytest

from techniques.families.encryption.texts import (
    Collector,
    by_characters,
    by_length,
    characters,
    read,
    strings,
    written,
)


def matrix(*rows: bytes) -> np.ndarray:
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)


def letters(text: str) -> np.ndarray:
    return matrix(text.encode())


@pytest.mark.parametrize("length", range(1, 18))
def test_base32_and_hex_are_those_of_rfc_4648(length: int) -> None:
    data = bytes((37 * i + length) % 256 for i in range(length))
    for encoding, expected in (
        ("base32", base64.b32encode(data).decode().rstrip("=").lower()),
        ("hex", data.hex()),
    ):
        made = written(matrix(data, data[::-1]), encoding)
        assert made[0].tobytes().decode() == expected
        again, sound = read(made, encoding)
        assert [row.tobytes() for row in again] == [data, data[::-1]]
        assert sound.tolist() == [True, True]


def test_one_ciphertext_has_one_form() -> None:
    """RFC 4648, 3.5: of 32 last letters of one byte those 8 are sound whose two spare bits are zero; no number of
    bytes has 1, 3 or 6 letters over; capitals and strange letters are none."""
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    sound = [bool(read(letters("m" + last), "base32")[1][0]) for last in alphabet]
    assert [place for place, one in enumerate(sound) if one] == list(range(0, 32, 4))
    whole = [n for n in range(1, 17) if read(letters("a" * n), "base32")[1].all()]
    assert whole == [2, 4, 5, 7, 8, 10, 12, 13, 15, 16]
    for strange in ("ma1a", "maAa", "ma=a", "ma a"):
        assert not read(letters(strange), "base32")[1].any()
    assert [n for n in range(1, 7) if read(letters("0" * n), "hex")[1].all()] == [2, 4, 6]
    for strange in ("0g", "0G", "0A", "0/", "0:"):
        assert not read(letters(strange), "hex")[1].any()


def test_characters_of_every_width_come_back() -> None:
    edges = "\x00\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff"
    texts = [edges, edges[::-1], "上海市浦东新区一二"[:8], "plain as", "", "é", "a"]
    values = pa.array(texts)
    for groups, back in ((by_characters, characters), (by_length, strings)):
        kept, seen = Collector(len(texts)), []
        for positions, group in groups(values):
            assert len({len(texts[place]) for place in positions}) == 1 or groups is by_length
            assert len(positions) == len(group)
            seen += positions.tolist()
            kept.add(positions, back(group))
        assert sorted(seen) == list(range(len(texts)))
        assert kept.collected().to_pylist() == texts


def test_what_no_group_fills_is_null() -> None:
    assert Collector(2).collected().to_pylist() == [None, None]
    kept = Collector(4)
    kept.add(np.array([3]), pa.array(["d"]))
    kept.add(np.array([0, 1]), pa.array(["a", "b"]))
    assert kept.collected().to_pylist() == ["a", "b", None, "d"]
