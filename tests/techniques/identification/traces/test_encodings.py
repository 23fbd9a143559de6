"""Digests without a key are found, and an identifier without a value has none."""

from __future__ import annotations

import base64
import hashlib

import pyarrow as pa
import pytest

from techniques.identification.traces.encodings import DigestLike, Digests

PHONES = [f"1380013{n:04}" for n in range(200)]


@pytest.mark.parametrize(
    ("algorithm", "called"),
    [
        ("md5", "MD5"),
        ("sha1", "SHA-1"),
        ("sha224", "SHA-224"),
        ("sha256", "SHA-256"),
        ("sha384", "SHA-384"),
        ("sha512", "SHA-512"),
        ("sm3", "SM3"),
    ],
)
def test_digests_are_found_in_each_column_that_holds_them(algorithm: str, called: str) -> None:
    digests = Digests(pa.array(PHONES), "phone")
    made = [hashlib.new(algorithm, phone.encode()).hexdigest() for phone in PHONES]
    cut = pa.array([*(one[:20] for one in made), "0" * 20])
    in_base64 = [base64.b64encode(bytes.fromhex(one)).decode() for one in made]
    for texts in (
        pa.array([*made, "f" * len(made[0])]),
        cut,
        pa.array([*in_base64, "A" * len(in_base64[0])]),
    ):
        found, which = digests.among(DigestLike(texts))
        assert found == called
        assert which.tolist() == [True] * len(PHONES) + [False]


def test_of_an_identifier_without_a_value_nothing_is_found() -> None:
    found, which = Digests(pa.array([], pa.string()), "phone").among(DigestLike(pa.array(["0" * 32])))
    assert (found, which.tolist()) == ("", [False])
