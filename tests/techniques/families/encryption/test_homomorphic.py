"""GB/T 37964 A.2.5 and A.2.6: the algebra of Paillier's ciphertexts and of Shamir's shares."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.encryption import SecretSharingSettings
from techniques.core.draws import RunDraws
from techniques.core.operations import Cells
from techniques.families.encryption.ciphers import shamir
from techniques.families.encryption.ciphers.paillier import PrivateKey, key_from_seed, randomness
from techniques.families.encryption.decimals import decimal_text
from techniques.families.encryption.homomorphic import add_ciphertexts
from techniques.families.encryption.keys import domain_of_column
from techniques.families.encryption.secret_sharing import combine_shares
from tests.techniques.apply import SECRETS, operation

KEY = key_from_seed(b"a seed that is thirty-two bytes.", 512)
KEPT = ["0fb4f89d7554dc6a", "654a677edb0d5b85"]
"""Of the modulus of KEY and of a ciphertext under it, as they were written before."""
numbers = st.integers(-(10**18), 10**18)


def sealed(number: int, place: int) -> int:
    return KEY.encrypt(number, randomness(b"k", str(place).encode(), number, KEY.random_bytes))


@given(st.lists(numbers, min_size=1, max_size=6), st.integers(-1000, 1000))
@settings(max_examples=40)
def test_paillier_adds_and_multiplies(values: list[int], factor: int) -> None:
    ciphertexts = [sealed(v, i) for i, v in enumerate(values)]
    assert [KEY.decrypt(c) for c in ciphertexts] == values
    assert KEY.decrypt(KEY.public.add(ciphertexts)) == sum(values)
    assert KEY.decrypt(KEY.public.multiply(ciphertexts[0], factor)) == factor * values[0]


@given(numbers)
@settings(max_examples=20)
def test_paillier_agrees_with_the_textbook(number: int) -> None:
    """c = (1+n)^m r^n with some r: what is left after taking the number out is an n-th residue."""
    n, square = KEY.public.n, KEY.public.square
    rest = sealed(number, 0) * pow(1 + n, -number, square) % square
    assert pow(rest, math.lcm(KEY._p - 1, KEY._q - 1), square) == 1


def test_key_grows_from_its_seed() -> None:
    assert key_from_seed(b"b" * 32, 512).public.n != KEY.public.n
    assert KEY.public.n.bit_length() == 512
    again = PrivateKey(KEY._p, KEY._q, 5)
    assert again.decrypt(sealed(-7, 0)) == -7
    assert KEY._p % 4 == KEY._q % 4 == 3
    assert math.gcd(KEY._p - 1, KEY._q - 1) == 2


def test_keys_of_any_seed_are_sound() -> None:
    """Damgård, Jurik and Nielsen (2010): primes of one length, 3 modulo 4, whose p-1 and q-1 share 2 alone."""
    for seed in range(40):
        key = key_from_seed(bytes([seed]) * 32, 64)
        assert key.public.n.bit_length() == 64
        assert key._p % 4 == key._q % 4 == 3
        assert math.gcd(key._p - 1, key._q - 1) == 2
        assert all(pow(base, prime - 1, prime) == 1 for prime in (key._p, key._q) for base in (2, 3, 5))
        assert key._p != key._q


def test_a_seed_gives_the_key_that_it_always_gave() -> None:
    """Only the seed is kept: another key for it could not open what was written before."""
    sealed_once = KEY.encrypt(42, bytes(range(KEY.random_bytes)))
    assert [hashlib.sha256(str(x).encode()).hexdigest()[:16] for x in (KEY.public.n, sealed_once)] == KEPT


def test_every_byte_of_the_randomness_counts() -> None:
    assert 8 * KEY.random_bytes >= KEY.public.n.bit_length() / 2
    key = PrivateKey(KEY._p, KEY._q, 5)
    once = bytes(range(1, KEY.random_bytes + 1))
    others = [once[:place] + b"\0" + once[place + 1 :] for place in range(len(once))]
    assert len({key.encrypt(7, randomness) for randomness in (once, *others)}) == len(once) + 1


def cells(texts: list[str | None], first: int = 0) -> Cells:
    encoded = pa.array(texts, pa.string()).dictionary_encode()
    codes = np.array(encoded.indices.fill_null(-1)).astype(np.int32)
    drawn = RunDraws(SECRETS, "label", len(codes))
    return Cells(encoded.dictionary, codes, first, "label", drawn)


def test_homomorphic_column() -> None:
    made = operation("encryption.homomorphic", {"decimals": 1})
    found = made.treat(cells(["1.5", "1.5", None, "-3", "x", "0.25"])).to_pylist()
    assert found[0] != found[1], "equal values do not show"
    assert found[2] is found[4] is found[5] is None
    assert made.unfit(pa.array(["1.5", "x", "0.25"])).tolist() == [False, True, True]
    facts = made.facts()
    total = add_ciphertexts(facts["public_key"], [found[0], found[1], found[3]])
    assert {len(x) for x in found if x} == {len(total)} == {1024}
    back = made.reverse(pa.array([total, found[3], "zz", "0"]))
    assert back.values.to_pylist() == ["0", "-3", None, None]
    assert back.unfit.tolist() == [False, False, True, True]


def test_same_place_other_number_other_randomness() -> None:
    """Two numbers under the same randomness would show their difference."""
    a, b = sealed(1, 0), sealed(2, 0)
    n, square = KEY.public.n, KEY.public.square
    assert b * pow(a, -1, square) % square != (1 + n) % square


@given(
    st.lists(st.integers(-(2**58), 2**58), min_size=1, max_size=5),
    st.integers(2, 5),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
@settings(max_examples=50)
def test_any_t_holders_get_secrets_and_sums_back(secrets: list[int], t: int, more: int, random: Any) -> None:
    words = [np.array([random.getrandbits(64) for _ in secrets], np.uint64) for _ in range(t - 1)]
    shares = {h: shamir.share(np.array(secrets), words, h) for h in range(1, t + more + 1)}
    for holders in list(combinations(shares, t))[:5]:
        assert shamir.combine({h: shares[h] for h in holders}) == secrets
        if abs(sum(secrets)) < 2**60:
            assert shamir.combine({h: [shamir.add(shares[h])] for h in holders}) == [sum(secrets)]


@given(st.integers(0, shamir.PRIME - 1), st.integers(0, 2**64 - 1), st.integers(1, 100))
def test_field_arithmetic(secret: int, coefficient: int, holder: int) -> None:
    found = shamir.share(np.array([secret], np.int64), [np.array([coefficient], np.uint64)], holder)
    assert int(found[0]) == (secret + coefficient * holder) % shamir.PRIME


def test_fewer_than_t_shares_fit_every_secret() -> None:
    """With t-1 shares each secret is possible with exactly one polynomial."""
    [share] = shamir.share(np.array([42]), [np.array([12345], np.uint64)], 1).tolist()
    for secret in (0, 42, 99):
        slope = (share - secret) % shamir.PRIME
        assert shamir.share(np.array([secret]), [np.array([slope], np.uint64)], 1).tolist() == [share]


@pytest.mark.parametrize("algorithm", ["sm4", "aes"])
def test_columns_of_shares(algorithm: str) -> None:
    texts: list[str | None] = ["12.5", "12.5", None, "-3", "x", "0.125"]
    files = {}
    for holder in (1, 2, 3):
        made = operation("encryption.secret_sharing", {"holder": holder, "algorithm": algorithm})
        files[holder] = made.treat(cells(texts)).to_pylist()
    assert all(file[2] is file[4] is file[5] is None for file in files.values())
    assert all(file[0] != file[1] for file in files.values())
    for pair in combinations(files, 2):
        found = combine_shares({h: [files[h][i] for i in (0, 1, 3)] for h in pair}, 2)
        assert found == ["12.5", "12.5", "-3"]
        sums = {h: [str(sum(int(files[h][i]) for i in (0, 1, 3)) % shamir.PRIME)] for h in pair}
        assert combine_shares(sums, 2) == ["22"]
    made = operation("encryption.secret_sharing", {"holder": 1})
    moved = made.treat(cells(["12.5"], first=1)).to_pylist()
    assert moved == operation("encryption.secret_sharing", {"holder": 1}).treat(cells(texts)).to_pylist()[1:2]


def test_sums_that_could_wrap_around_are_refused() -> None:
    """Half the field is for numbers below zero, and half of that again is kept free: 2^59 for the sum of a column."""
    for rows in (10**6, 10**9):
        made = operation("encryption.secret_sharing", {"holder": 1, "decimals": 0}, rows=rows)
        limit = 2**59 // rows
        given = pa.array([str(one) for one in (limit, -limit, limit - 1, 1 - limit, 5)])
        assert made.unfit(given).tolist() == [True, True, False, False, False]
    for wrong in ({"holder": 4}, {"holder": 1, "threshold": 4}):
        with pytest.raises(ValidationError):
            SecretSharingSettings(**wrong)


@given(st.integers(-(10**30), 10**30), st.integers(0, 6))
def test_decimal_text(number: int, decimals: int) -> None:
    text = decimal_text(number, decimals)
    assert Fraction(text) * 10**decimals == number
    assert "E" not in text
    assert "." not in text or text[-1] != "0"


@pytest.mark.parametrize("domain", ["a", "c", "m", "x", "z"])
def test_equal_numbers_of_a_row_have_other_shares_in_another_column_of_the_domain(domain: str) -> None:
    """Whatever comes first by letters: the domain or a column."""
    texts: list[str | None] = ["5", "5", "7"]
    of_columns = [
        operation("encryption.secret_sharing", {"holder": 1, "domain": domain}, columns=(column,))
        .treat(cells(texts))
        .to_pylist()
        for column in ("c", "m", "x")
    ]
    assert all(len({*row}) == 3 for row in zip(*of_columns, strict=True))


@pytest.mark.parametrize(
    ("one", "another"),
    [(("m", "c: d"), ("m: c", "d")), (("m", "c"), ("", "m: c")), (("m: c", "m: c"), ("m", "c"))],
)
def test_two_columns_whose_domain_and_name_read_alike_when_joined_have_other_shares(
    one: tuple[str, str], another: tuple[str, str]
) -> None:
    texts: list[str | None] = ["5", "5", "7"]
    first, second = (
        operation("encryption.secret_sharing", {"holder": 1, "domain": domain}, columns=(column,))
        .treat(cells(texts))
        .to_pylist()
        for domain, column in (one, another)
    )
    assert not {*first} & {*second}


_NAMES = st.text(st.sampled_from('abm: "[],\\'), max_size=6)


@given(_NAMES, _NAMES.filter(bool), _NAMES, _NAMES.filter(bool))
def test_no_two_pairs_of_domain_and_column_have_the_same_name(d1: str, c1: str, d2: str, c2: str) -> None:
    same = (d1 or c1, c1) == (d2 or c2, c2)
    assert (domain_of_column(d1, c1) == domain_of_column(d2, c2)) == same
