"""Pseudonyms of one key in releases that write them longer, shorter and with other prefixes are found alike (A.4.3)."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.catalogue.encryption import DeterministicEncryptionSettings
from techniques.catalogue.pseudonymization import ALPHABETS, KEYED_HASH, KeyedHashSettings
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.disclosure_risk.releases.keyed import Keyed
from techniques.disclosure_risk.releases.keyed import joined as join
from techniques.disclosure_risk.releases.lengths import in_common
from techniques.families.pseudonymization.keyed_hash import KeyedHash

SHARED = {"joinable": "purpose", "purpose": "follow-up", "domain": "patient"}
PERSONS = [f"BL{number:04}" for number in range(40)]
LONGEST = {"hex": 64, "base32": 51, "digits": 77}


def _settings(**more: Any) -> KeyedHashSettings:
    return KeyedHashSettings.model_validate({**SHARED, "maximum_collision_probability": 1.0, **more})


def _pseudonyms(given: KeyedHashSettings, values: list[str]) -> pa.ChunkedArray:
    """What the technique makes of them under the key of the purpose."""
    secrets = Secrets(key=b"", seed=1, purposes={"follow-up": b"p" * 32})
    operation = KeyedHash(given, Context(step=0, columns=("id",), rows=len(values), secrets=secrets))
    return pa.chunked_array([operation.apply(pa.array(values, pa.string())).values])


def _column(given: KeyedHashSettings, values: list[str]) -> tuple[pa.ChunkedArray, Any]:
    return _pseudonyms(given, values), [(KEYED_HASH.key, given)]


def _alike(*sides: tuple[pa.ChunkedArray, Any]) -> list[list[str]]:
    return [one.to_pylist() for one in in_common([side[0] for side in sides], [side[1] for side in sides])]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(ALPHABETS)),
    st.lists(st.tuples(st.integers(6, 64), st.sampled_from(["", "P-", "7", "病"])), min_size=2, max_size=3),
)
def test_whoever_is_in_releases_of_any_lengths_and_prefixes_is_found_in_all(
    alphabet: str, forms: list[tuple[int, str]]
) -> None:
    sides = [
        _column(_settings(alphabet=alphabet, length=min(length, LONGEST[alphabet]), prefix=prefix), PERSONS)
        for length, prefix in forms
    ]
    first, *others = _alike(*sides)
    assert all(one == first for one in others)
    if min(length for length, _prefix in forms) >= 12:
        assert len(set(first)) == len(PERSONS)


def test_rows_are_joined_where_one_release_cuts_shorter_and_puts_a_prefix_before() -> None:
    short, long = _settings(length=24, prefix="P-"), _settings()
    sides = [_column(short, PERSONS), _column(long, PERSONS[10:])]
    tables = [pa.table({"p": text}) for text, _treatment in sides]

    def persons(texts: list[Any]) -> int:
        held = [
            Keyed(name, table.set_column(0, "p", text), ("p",), ())
            for name, table, text in zip("AB", tables, texts, strict=True)
        ]
        return join(held, k=2).persons

    # Text by text nothing agrees, though 30 persons are in both.
    assert persons([table.column("p") for table in tables]) == 0
    assert persons(in_common([side[0] for side in sides], [side[1] for side in sides])) == 30


def test_what_is_missing_stays_and_pseudonyms_of_one_form_are_left_alone() -> None:
    short = _settings(length=8, prefix="P-")
    texts = pa.chunked_array([["P-0123abcd", None], ["", "*"]], pa.string())
    found = _alike((texts, [(KEYED_HASH.key, short)]), _column(_settings(length=6), ["a"]))
    assert found[0] == ["0123ab", None, "", "*"]
    same = _alike(
        (texts, [(KEYED_HASH.key, short)]), (texts, [(KEYED_HASH.key, _settings(length=8, prefix="P-"))])
    )
    assert same == [texts.to_pylist()] * 2


SIV = ("encryption.deterministic", DeterministicEncryptionSettings(joinable="project"))


@pytest.mark.parametrize(
    "treatment",
    [
        [(KEYED_HASH.key, _settings(alphabet="digits"))],
        [(KEYED_HASH.key, _settings(algorithm="hmac-sha256"))],
        [(KEYED_HASH.key, _settings()), SIV],
        [SIV],
        # Longer than what stands there: something else has changed it.
        [(KEYED_HASH.key, _settings(length=40))],
        [(KEYED_HASH.key, _settings(length=30, prefix="Q-"))],
    ],
    ids=["alphabet", "algorithm", "treated-again", "ciphertext", "length", "prefix"],
)
def test_where_it_cannot_be_said_which_belong_together_it_is_refused(treatment: Any) -> None:
    text, own = _column(_settings(), PERSONS)
    with pytest.raises(EngineError) as caught:
        in_common([text, text], [own, treatment])
    assert caught.value.code == "pseudonyms_differ"
