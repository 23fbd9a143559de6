"""Digests without a key are found, and an identifier without a value has none."""

from __future__ import annotations

import hashlib

import pyarrow as pa
import pytest

from techniques.identification.traces.encodings import Digests

PHONES = [f"1380013{n:04}" for n in range(200)]


@pytest.mark.parametrize(("algorithm", "called"), [("md5", "MD5"), ("sha256", "SHA-256")])
def test_digests_are_found_in_each_column_that_holds_them(algorithm: str, called: str) -> None:
    digests = Digests(pa.array(PHONES), "phone")
    made = [hashlib.new(algorithm, phone.encode()).hexdigest() for phone in PHONES]
    cut = pa.array([*(one[:20] for one in made), "0" * 20])
    for texts in (pa.array([*made, "f" * len(made[0])]), cut):
        found, which = digests.among(texts)
        assert found == called
        assert which.tolist() == [True] * len(PHONES) + [False]


def test_of_an_identifier_without_a_value_nothing_is_found() -> None:
    found, which = Digests(pa.array([], pa.string()), "phone").among(pa.array(["0" * 32]))
    assert (found, which.tolist()) == ("", [False])
