"""HMAC of many messages at a time, against the library's of one (its vectors are in test_pseudonymization and test_vectors)."""

from __future__ import annotations

import hmac

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.catalogue.pseudonymization import ALPHABETS
from techniques.families.pseudonymization.digests import LANES, keyed_hashes
from tests.techniques.apply import SECRETS, apply

DIGESTS = {"hmac-sm3": "sm3", "hmac-sha256": "sha256"}


def singly(algorithm: str, key: bytes, prefix: bytes, messages: list[bytes]) -> list[bytes]:
    return [hmac.new(key, prefix + message, DIGESTS[algorithm]).digest() for message in messages]


def together(algorithm: str, key: bytes, prefix: bytes, messages: list[bytes]) -> list[bytes]:
    made = keyed_hashes(algorithm, key, prefix, pa.array(messages, pa.binary()))
    assert made.shape == (len(messages), 32)
    return [row.tobytes() for row in made]


@settings(deadline=None)
@given(
    st.sampled_from(list(DIGESTS)),
    st.binary(max_size=130),
    st.binary(max_size=140),
    st.lists(st.binary(max_size=200), max_size=12),
)
def test_same_as_the_library(algorithm: str, key: bytes, prefix: bytes, messages: list[bytes]) -> None:
    assert together(algorithm, key, prefix, messages) == singly(algorithm, key, prefix, messages)


@pytest.mark.parametrize("algorithm", DIGESTS)
@pytest.mark.parametrize("before", [0, 1, 54, 55, 56, 63, 64, 65, 128])
def test_every_length_around_the_edges_of_blocks(algorithm: str, before: int) -> None:
    messages = [bytes(range(size)) for size in range(140)]
    assert together(algorithm, b"k" * 32, b"p" * before, messages) == singly(
        algorithm, b"k" * 32, b"p" * before, messages
    )


@pytest.mark.parametrize("algorithm", DIGESTS)
@pytest.mark.parametrize("number", [1, LANES - 1, LANES, LANES + 1, 3 * LANES + 7])
def test_long_messages_among_short_ones(algorithm: str, number: int) -> None:
    rng = np.random.default_rng(number)
    messages = [rng.bytes(int(size)) for size in rng.choice([0, 8, 18, 700, 9_000], number)]
    assert together(algorithm, b"key", b"prefix", messages) == singly(algorithm, b"key", b"prefix", messages)


def test_a_slice_of_texts() -> None:
    texts = pa.array(["张三", "", "Ørsted", "x" * 100, "李四"])
    made = keyed_hashes("hmac-sm3", b"key", b"", texts.slice(1, 3))
    assert [row.tobytes() for row in made] == singly(
        "hmac-sm3", b"key", b"", [text.encode() for text in texts.to_pylist()[1:4]]
    )


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [20, 21, 32, 51])
def test_letters_of_a_digest(alphabet: str, length: int) -> None:
    """Hexadecimal takes the first characters; the others are the digest as a number, its last places."""
    values, salt, domain = ["张三", "b", "c", "d"], SECRETS.require_salt(), b"of"
    prefix = b"".join(len(part).to_bytes(4, "big") + part for part in (salt, domain))
    letters, expected = ALPHABETS[alphabet], []
    for digest in singly("hmac-sm3", SECRETS.key, prefix, [value.encode() for value in values]):
        number, written = int.from_bytes(digest, "big"), ""
        for _place in range(length):
            number, letter = divmod(number, len(letters))
            written = letters[letter] + written
        expected.append("患" + (digest.hex()[:length] if alphabet == "hex" else written))
    made = apply(
        "pseudonymization.keyed_hash", values, domain="of", length=length, prefix="患", alphabet=alphabet
    )
    assert made == expected
