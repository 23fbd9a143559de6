"""GB/T 37964 A.4.3: keyed hashes against published vectors and an independent implementation."""

from __future__ import annotations

import hmac

import pyarrow as pa
import pytest

from techniques.catalogue.pseudonymization import KeyedHashSettings
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.families.pseudonymization.digests import keyed_hashes
from techniques.families.pseudonymization.keyed_hash import KeyedHash, collision_probability
from tests.techniques.apply import SECRETS, apply, operation


def test_hmac_sha256_vectors() -> None:
    """RFC 4231, cases 1 and 2."""
    assert (
        keyed_hashes("hmac-sha256", b"\x0b" * 20, b"", pa.array([b"Hi There"]))[0].tobytes().hex()
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    )
    assert (
        keyed_hashes("hmac-sha256", b"Jefe", b"what do ya ", pa.array([b"want for nothing?"]))[0]
        .tobytes()
        .hex()
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_sm3_vector() -> None:
    """GB/T 32905 example 1, the hash inside our HMAC: rebuilt from its two passes."""
    from cryptography.hazmat.primitives import hashes

    def sm3(message: bytes) -> bytes:
        digest = hashes.Hash(hashes.SM3())
        digest.update(message)
        return digest.finalize()

    assert sm3(b"abc").hex() == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    key = b"k" * 20
    padded = key.ljust(64, b"\0")
    inner = sm3(bytes(b ^ 0x36 for b in padded) + b"message")
    expected = sm3(bytes(b ^ 0x5C for b in padded) + inner)
    assert keyed_hashes("hmac-sm3", key, b"mess", pa.array([b"age"])).tobytes() == expected


@pytest.mark.parametrize(("algorithm", "digest"), [("hmac-sm3", "sm3"), ("hmac-sha256", "sha256")])
def test_pseudonym_is_the_salted_domain_separated_hmac(algorithm: str, digest: str) -> None:
    salt, domain = SECRETS.require_salt(), b"patients"
    prefix = len(salt).to_bytes(4, "big") + salt + len(domain).to_bytes(4, "big") + domain
    expected = hmac.new(SECRETS.key, prefix + "张三".encode(), digest).hexdigest()[:20]
    made = apply(
        "pseudonymization.keyed_hash", ["张三"], algorithm=algorithm, domain="patients", length=20, prefix="P"
    )
    assert made == ["P" + expected]


def test_same_value_same_pseudonym_other_domain_other_pseudonym() -> None:
    first = apply("pseudonymization.keyed_hash", ["a", "b", "a"], domain="x")
    other = apply("pseudonymization.keyed_hash", ["a"], domain="y")
    assert first[0] == first[2] != first[1]
    assert other[0] != first[0]


@pytest.mark.parametrize(
    ("alphabet", "letters"),
    [("digits", set("0123456789")), ("base32", set("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))],
)
def test_alphabets(alphabet: str, letters: set[str]) -> None:
    made = apply("pseudonymization.keyed_hash", ["a", "b"], alphabet=alphabet, length=20)
    assert all(len(str(x)) == 20 and set(str(x)) <= letters for x in made)


def test_too_short_pseudonyms_are_refused_with_the_length_that_would_do() -> None:
    with pytest.raises(EngineError) as error:
        operation("pseudonymization.keyed_hash", {"length": 8}, rows=1_000_000)
    assert error.value.code == "pseudonym_too_short"
    needed = error.value.params["needed"]
    operation("pseudonymization.keyed_hash", {"length": needed}, rows=1_000_000)
    with pytest.raises(EngineError):
        operation("pseudonymization.keyed_hash", {"length": needed - 1}, rows=1_000_000)


def test_birthday_bound() -> None:
    assert collision_probability(23, 8.5116) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("secrets", "code"),
    [
        (Secrets(b"", 1), "key_missing"),
        (Secrets(b"short", 1), "key_too_short"),
        (Secrets(b"k" * 32, b""), "salt_missing"),
    ],
)
def test_never_without_key_and_salt(secrets: Secrets, code: str) -> None:
    with pytest.raises(EngineError) as error:
        KeyedHash(KeyedHashSettings(), Context(0, ("c",), 10, secrets))
    assert error.value.code == code


def test_secrets_do_not_show_themselves() -> None:
    shown = repr(SECRETS)
    assert "thirty" not in shown
    assert "7" not in shown
