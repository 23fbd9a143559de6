"""What is drawn for a record follows from its name and the value under one key, as a random function would have it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.draws import BLOCK, LastingKey, Records

KEY = LastingKey(b"k" * 32)


def chained(key: LastingKey, label: str, text: str) -> bytes:
    """The last block of AES in CBC mode over the length and the padded bytes: CBC-MAC as the library computes it."""
    message = text.encode()
    padded = bytes(8) + len(message).to_bytes(8, "big") + message + bytes(-len(message) % BLOCK)
    cipher: algorithms.AES | algorithms.SM4 = algorithms.AES(key.of(label))
    if key.national:
        cipher = algorithms.SM4(key.of(label)[:16])
    return Cipher(cipher, modes.CBC(bytes(BLOCK))).encryptor().update(padded)[-BLOCK:]


@given(st.lists(st.text(max_size=70), max_size=12), st.booleans(), st.integers(0, 3))
def test_names_are_the_message_authentication_code_of_their_bytes(
    texts: list[str], national: bool, skipped: int
) -> None:
    key = LastingKey(b"key of sixteen b", national)
    whole = pa.array(texts, pa.string())
    blocks = key.named("x", whole.slice(skipped))
    assert [block.tobytes() for block in blocks[:-1]] == [chained(key, "x", one) for one in texts[skipped:]]
    assert not blocks[-1].any()


def test_one_text_that_begins_another_is_another() -> None:
    blocks = KEY.named("x", pa.array(["", "\0", "\0" * 15, "\0" * 16, "\0" * 17, "a", "a\0"]))
    assert len({block.tobytes() for block in blocks}) == 8


def departs(drawn: np.ndarray, share: Callable[[float], float]) -> bool:
    """Whether Kolmogorov and Smirnov's distance is one that chance gives once in a thousand times."""
    expected = np.array([share(float(one)) for one in np.sort(drawn)])
    steps = np.arange(len(drawn) + 1) / len(drawn)
    distance = max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())
    return bool(distance > 1.95 / np.sqrt(len(drawn)))


def test_draws_are_uniform_independent_and_normal() -> None:
    texts = pa.array([str(number) for number in range(100_000)])
    codes = np.arange(100_000, dtype=np.int32)
    drawn = Records.of(KEY, [(texts, codes)]).cells("noise", pa.array(["7"]), np.zeros(100_000, np.int32))
    first, second = drawn.uniform(), drawn.second()
    assert not departs(first, float)
    assert not departs(second, float)
    assert departs(first**1.02, float)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.015
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.015
    assert not departs(drawn.normal(), lambda one: 0.5 + 0.5 * math.erf(one / math.sqrt(2)))


@pytest.mark.parametrize("national", [False, True])
def test_record_value_label_and_key_all_tell(national: bool) -> None:
    key = LastingKey(b"k" * 32, national)
    texts, codes = pa.array(["p1", "p2"]), np.array([0, 0, 1, -1], np.int32)
    values, of = pa.array(["5", "6"]), np.array([0, 0, 0, 0], np.int32)
    records = Records.of(key, [(texts, codes)])
    drawn = records.cells("noise", values, of).uniform()
    assert drawn[0] == drawn[1]
    assert len({*drawn}) == 3
    again = Records.of(key, [(pa.array(["x", "p2", "p1"]), np.array([2, 2, 1, -1], np.int32))])
    assert np.array_equal(again.cells("noise", pa.array(["5"]), of).uniform(), drawn)
    others = (
        records.cells("noise", values, of + 1),
        records.cells("shift", values, of),
        Records.of(LastingKey(b"j" * 32, national), [(texts, codes)]).cells("noise", values, of),
    )
    for other in others:
        assert not np.any(other.uniform() == drawn)


def test_names_of_several_columns_do_not_run_into_each_other() -> None:
    one = np.zeros(1, np.int32)
    split = [
        Records.of(KEY, [(pa.array([first]), one), (pa.array([second]), one)]).blocks.tobytes()
        for first, second in (("a", "bc"), ("ab", "c"), ("bc", "a"), ("", "abc"))
    ]
    assert len({*split}) == 4
