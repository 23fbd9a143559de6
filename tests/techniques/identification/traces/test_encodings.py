"""Digests without a key are found, and an identifier without a value has none."""

from __future__ import annotations

import base64
import hashlib

import pyarrow as pa
import pytest

from techniques.identification.traces import encodings
from techniques.identification.traces.encodings import DigestLike, Digests, readings

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


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_base64_is_read_in_either_encoding_and_what_cannot_be_printed_is_none(
    monkeypatch, at_once: int
) -> None:
    monkeypatch.setattr(encodings, "_AT_ONCE", at_once)
    raw = {
        "李小明".encode(): "李小明",
        "王芳".encode("gb18030"): "王芳",
        "13800138000": "13800138000",
        "㐂𠀀".encode("gb18030"): "㐂𠀀",
        bytes([0xE3, 0x32, 0x9A, 0x36]): None,  # four bytes of GB 18030 that are no character
        bytes([0xFF, 0x80, 0xFF, 0x80]): None,
        "\ufffd好".encode(): "\ufffd好",
        "\ue000甲乙".encode(): None,  # for private use
        b"abc\ndef": None,
    }
    given = [one.encode() if isinstance(one, str) else one for one in raw]
    texts = pa.array([base64.b64encode(one).decode() for one in given])
    found = dict(readings(texts, texts))["Base64"].to_pylist()
    assert found == [*raw.values()]
