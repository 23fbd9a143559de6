"""GB/T 37964 A.2 against the published vectors, and against independent implementations of the algorithms."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.families.encryption.ciphers.blocks import BlockCipher
from techniques.families.encryption.ciphers.ff1 import FF1, Permutation
from techniques.families.encryption.ciphers.siv import SyntheticIv
from techniques.families.pseudonymization.digests import keyed_hashes

KEY = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
LONG_TWEAK, ALNUM_TWEAK = "39383736353433323130", "3737373770717273373737"
NIST = [
    (16, 10, "", "0123456789", "2433477484"),
    (16, 10, LONG_TWEAK, "0123456789", "6124200773"),
    (16, 36, ALNUM_TWEAK, "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (24, 10, "", "0123456789", "2830668132"),
    (24, 10, LONG_TWEAK, "0123456789", "2496655549"),
    (24, 36, ALNUM_TWEAK, "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (32, 10, "", "0123456789", "6657667009"),
    (32, 10, LONG_TWEAK, "0123456789", "1001623463"),
    (32, 36, ALNUM_TWEAK, "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]


def ff1(made: FF1, text: str, tweak: bytes = b"", *, decrypt: bool = False) -> str:
    letters = np.frombuffer(text.encode(), np.uint8).reshape(1, -1)
    table = np.full(256, -1, np.int32)
    alphabet = np.frombuffer(LETTERS[: made.radix].encode(), np.uint8)
    table[alphabet] = np.arange(made.radix)
    tweaks = np.frombuffer(tweak, np.uint8).reshape(1, -1)
    found, sound = made.texts(letters, table, alphabet, tweaks, decrypt=decrypt)
    assert sound.all()
    return found.tobytes().decode()


@pytest.mark.parametrize(("size", "radix", "tweak", "plain", "sealed"), NIST)
def test_ff1_samples_of_nist(size: int, radix: int, tweak: str, plain: str, sealed: str) -> None:
    """NIST, FF1 samples 1 to 9 of SP 800-38G."""
    made = FF1("aes", KEY[:size], radix)
    assert ff1(made, plain, bytes.fromhex(tweak)) == sealed
    assert ff1(made, sealed, bytes.fromhex(tweak), decrypt=True) == plain
    numerals = made.one([LETTERS.index(c) for c in plain], bytes.fromhex(tweak))
    assert "".join(LETTERS[n] for n in numerals) == sealed


@given(
    st.sampled_from(["aes", "sm4"]),
    st.sampled_from([2, 10, 36, 62, 6763, 20992, 65536]),
    st.integers(2, 40),
    st.binary(max_size=40),
    st.data(),
)
def test_batched_ff1_is_the_algorithm_as_printed(
    cipher: str, radix: int, length: int, tweak: bytes, data: st.DataObject
) -> None:
    made = FF1(cipher, KEY[: 32 if cipher == "aes" else 16], radix)
    rows = data.draw(
        st.lists(
            st.lists(st.integers(0, radix - 1), min_size=length, max_size=length), min_size=1, max_size=3
        )
    )
    identity = np.arange(radix, dtype=np.uint32)
    tweaks = np.stack([np.frombuffer(bytes([i]) + tweak, np.uint8) for i in range(len(rows))])
    letters = np.array(rows, dtype=np.uint32)
    found, sound = made.texts(letters, identity.astype(np.int32), identity, tweaks)
    assert sound.all()
    assert found.tolist() == [made.one(row, tweaks[i].tobytes()) for i, row in enumerate(rows)]
    back, _ = made.texts(found, identity.astype(np.int32), identity, tweaks, decrypt=True)
    assert back.tolist() == rows


def test_ff1_knows_which_lengths_are_safe() -> None:
    assert [FF1("aes", KEY, radix).allows(n) for radix, n in [(10, 5), (10, 6), (36, 3), (36, 4)]] == [
        False, True, False, True,
    ]  # fmt: skip
    assert not FF1("aes", KEY, 65536).allows(1)


@given(st.integers(10**6, 2**62), st.lists(st.integers(0, 2**62), min_size=1, max_size=20))
@settings(max_examples=50)
def test_permutation_stays_inside_and_comes_back(size: int, numbers: list[int]) -> None:
    made = Permutation("sm4", KEY[:16], size)
    given_ = np.array([n % size for n in numbers], dtype=np.uint64)
    none = np.zeros((1, 0), np.uint8)
    moved = made.apply(given_, none)
    assert (moved < size).all()
    assert (made.apply(moved, none, decrypt=True) == given_).all()


def test_permutation_of_a_whole_domain_hits_everything_once() -> None:
    everything = np.arange(10**6, dtype=np.uint64)
    moved = Permutation("aes", KEY, 10**6).apply(everything, np.zeros((1, 0), np.uint8))
    assert (np.sort(moved) == everything).all()


def test_sm4_block() -> None:
    """GB/T 32907-2016 A.1: one block, and one million times over."""
    block = bytes.fromhex("0123456789abcdeffedcba9876543210")
    assert BlockCipher("sm4", block).one(block).hex() == "681edf34d206965e86b3e94f536e4246"


def test_sm4_block_a_million_times() -> None:
    """GB/T 32907-2016 A.2."""
    key = bytes.fromhex("0123456789abcdeffedcba9876543210")
    chained = Cipher(algorithms.SM4(key), modes.CBC(key)).encryptor()
    # CBC over a million zero blocks encrypts each result again, the first being the vector as plaintext.
    result = chained.update(bytes(16 * 1_000_000))[-16:]
    assert result.hex() == "595298c7c6fd271f0402f804c33d3f66"


def seal(made: SyntheticIv, text: bytes) -> bytes:
    return made.encrypt(np.frombuffer(text, np.uint8).reshape(1, -1)).tobytes()


def test_aes_siv_of_rfc_5297() -> None:
    """Appendix A.1 and A.2."""
    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    data = bytes.fromhex("101112131415161718191a1b1c1d1e1f2021222324252627")
    made = SyntheticIv("aes", key, [data])
    assert seal(made, bytes.fromhex("112233445566778899aabbccddee")).hex() == (
        "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    )
    key = bytes.fromhex("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f")
    associated = [
        bytes.fromhex("00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100"),
        bytes.fromhex("102030405060708090a0"),
        bytes.fromhex("09f911029d74e35bd84156c5635688c0"),
    ]
    plain = b"this is some plaintext to encrypt using SIV-AES"
    assert seal(SyntheticIv("aes", key, associated), plain).hex() == (
        "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829"
        "ea64ad544a272e9c485b62a3fd5c0d"
    )


@given(st.binary(min_size=1, max_size=100), st.lists(st.binary(min_size=1, max_size=40), max_size=3))
def test_aes_siv_agrees_with_openssl(text: bytes, associated: list[bytes]) -> None:
    key = KEY + KEY[::-1]
    made = SyntheticIv("aes", key, associated)
    assert seal(made, text) == AESSIV(key).encrypt(text, associated)


@given(st.binary(max_size=100), st.lists(st.binary(max_size=40), max_size=3))
def test_sm4_siv_is_the_mode_of_the_rfc_over_sm4(text: bytes, associated: list[bytes]) -> None:
    """Built anew from CMAC and counter mode of the library."""
    first, second = KEY[:16], KEY[16:]

    def mac(message: bytes) -> bytes:
        state = cmac.CMAC(algorithms.SM4(first))
        state.update(message)
        return state.finalize()

    def double(block: bytes) -> bytes:
        number = int.from_bytes(block, "big") * 2
        return ((number % 2**128) ^ (0x87 if number >= 2**128 else 0)).to_bytes(16, "big")

    def xor(a: bytes, b: bytes) -> bytes:
        return bytes(x ^ y for x, y in zip(a, b, strict=True))

    state = mac(bytes(16))
    for item in associated:
        state = xor(double(state), mac(item))
    if len(text) >= 16:
        bound = text[:-16] + xor(text[-16:], state)
    else:
        bound = xor(double(state), (text + b"\x80").ljust(16, b"\0"))
    vector = mac(bound)
    counter = int.from_bytes(vector, "big") & ~((1 << 63) | (1 << 31))
    stream = Cipher(algorithms.SM4(second), modes.CTR(counter.to_bytes(16, "big"))).encryptor()
    assert seal(SyntheticIv("sm4", KEY, associated), text) == vector + stream.update(text)


def test_a_changed_ciphertext_is_not_genuine() -> None:
    made = SyntheticIv("sm4", KEY)
    sealed = made.encrypt(np.frombuffer(b"abcdefgh", np.uint8).reshape(2, 4))
    assert made.decrypt(sealed)[1].tolist() == [True, True]
    sealed[1, 17] ^= 1
    assert made.decrypt(sealed)[1].tolist() == [True, False]


@pytest.mark.parametrize("cipher", ["aes", "sm4"])
def test_one_changed_bit_anywhere_is_not_genuine(cipher: str) -> None:
    made = SyntheticIv(cipher, KEY)
    sealed = made.encrypt(np.frombuffer(b"abcd", np.uint8).reshape(1, 4))
    changed = sealed.repeat(8 * sealed.shape[1], axis=0)
    for bit in range(len(changed)):
        changed[bit, bit // 8] ^= 1 << bit % 8
    assert not made.decrypt(changed)[1].any()


def test_none_of_many_forgeries_is_genuine() -> None:
    """A tag that is compared in one byte lets 1,200 of them pass, in two bytes four or five."""
    made = SyntheticIv("aes", KEY)
    forged = made.encrypt(np.frombuffer(b"abcd", np.uint8).reshape(1, 4)).repeat(300_000, axis=0)
    forged[:, -4:] = np.arange(1, len(forged) + 1, dtype="<u4")[:, None].view(np.uint8) ^ forged[:, -4:]
    assert not made.decrypt(forged)[1].any()


def test_hmac_sm3_vectors() -> None:
    """GM/T 0042-2015 D.3."""
    text = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopqabcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    assert keyed_hashes("hmac-sm3", bytes(range(1, 33)), b"", pa.array([text]))[0].tobytes().hex() == (
        "ca05e144ed05d1857840d1f318a4a8669e559fc8391f414485bfdf7bb408963a"
    )
    assert keyed_hashes("hmac-sm3", b"\x0b" * 32, b"", pa.array([b"Hi There"]))[0].tobytes().hex() == (
        "c0ba18c68b90c88bc07de794bfc7d2c8d19ec31ed8773bc2b390c9604e0be11e"
    )
    assert keyed_hashes("hmac-sm3", b"Jefe", b"", pa.array([b"what do ya want for nothing?"]))[
        0
    ].tobytes().hex() == ("2e87f1d16862e6d964b50a5200bf2b10b764faa9680a296a2405f24bec39f882")
