"""GB/T 37964 A.2: what the cryptographic techniques promise, on values of every kind."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from id_validator.validator import is_valid
from pydantic import ValidationError

from techniques.catalogue.encryption import DeterministicEncryptionSettings, OrderPreservingEncryptionSettings
from techniques.core.messages import EngineError
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.engines.reversal import reverse, reversible_step
from techniques.families.encryption.order_preserving import OrderMap
from techniques.identification.checks import id_check_character, is_id_number, luhn
from techniques.recipe.recipe import Recipe
from tests.techniques.apply import SECRETS, apply, operation

SEAL, FORMAT, NUMBER, ORDER = (
    f"encryption.{name}" for name in ("deterministic", "format_preserving", "identifier", "order_preserving")
)
texts = st.lists(st.text(st.characters(codec="utf-8"), max_size=40), min_size=1, max_size=15, unique=True)
fewer_examples = settings(max_examples=50)


def back(key: str, values: list[Any], **parameters: Any) -> list[Any]:
    outcome = operation(key, parameters).reverse(pa.array(values, pa.string()))
    marks = outcome.unfit if outcome.unfit is not None else [False] * len(values)
    return ["!" if bad else value for value, bad in zip(outcome.values.to_pylist(), marks, strict=True)]


@given(texts, st.sampled_from(["sm4-siv", "aes-siv"]), st.sampled_from(["hex", "base32"]), st.booleans())
@fewer_examples
def test_any_text_comes_back(values: list[str], algorithm: str, encoding: str, hide: bool) -> None:
    chosen = {"algorithm": algorithm, "encoding": encoding, "hide_length": hide}
    sealed = apply(SEAL, values, **chosen)
    assert len(set(sealed)) == len(values)
    assert back(SEAL, sealed, **chosen) == values


def test_equal_values_are_equal_where_that_was_chosen_and_only_there() -> None:
    def sealed(seed: int, column: str, **chosen: Any) -> Any:
        settings_ = DeterministicEncryptionSettings(**chosen)
        from techniques.families.encryption.deterministic import Deterministic

        made = Deterministic(settings_, Context(0, (column,), 10, Secrets(SECRETS.key, seed)))
        return made.apply(pa.array(["张三"])).values[0].as_py()

    assert sealed(1, "a") == sealed(1, "a")
    assert sealed(1, "a") != sealed(1, "b")
    assert sealed(1, "a", domain="d") == sealed(1, "b", domain="d")
    assert sealed(1, "a") != sealed(2, "a")
    assert sealed(1, "a", joinable="project") == sealed(2, "a", joinable="project")


def test_length_is_hidden_up_to_a_block() -> None:
    lengths = {len(str(x)) for x in apply(SEAL, ["张三", "欧阳建国", "a" * 15])}
    assert lengths == {64}


@pytest.mark.parametrize("encoding", ["hex", "base32"])
def test_strangers_are_not_decrypted(encoding: str) -> None:
    [sealed] = apply(SEAL, ["张三"], encoding=encoding)
    assert sealed is not None
    changed = ("b" if sealed[0] == "a" else "a") + sealed[1:]
    assert back(SEAL, [changed, sealed[:-1], "", "zz", "张三", sealed], encoding=encoding) == ["!"] * 5 + [
        "张三"
    ]


ALPHABETS = {
    "digits": "0123456789",
    "lower36": "0123456789abcdefghijklmnopqrstuvwxyz",
    "upper36": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "base62": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}


@pytest.mark.parametrize("algorithm", ["ff1-sm4", "ff1-aes"])
@pytest.mark.parametrize("alphabet", [*ALPHABETS, "han_common", "han"])
@given(data=st.data())
@settings(max_examples=12)
def test_format_is_kept(alphabet: str, algorithm: str, data: st.DataObject) -> None:
    letters = ALPHABETS.get(alphabet, "张王李赵欧阳建国伟芳娜秀英敏静丽强磊洋艳勇军杰娟涛超明霞平刚")
    left, right = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 2))
    kept = st.text("京A0-甲", min_size=left, max_size=left), st.text("xX9乙", min_size=right, max_size=right)
    least = {"digits": 6, "lower36": 4, "upper36": 4, "base62": 4}.get(alphabet, 2)
    row = st.tuples(kept[0], st.text(letters, min_size=least, max_size=45), kept[1])
    rows = data.draw(st.lists(row, min_size=1, max_size=8, unique=True))
    values = sorted({"".join(row) for row in rows})
    chosen = {"alphabet": alphabet, "algorithm": algorithm, "keep_left": left, "keep_right": right}
    sealed = [str(x) for x in apply(FORMAT, values, **chosen)]
    assert [len(x) for x in sealed] == [len(x) for x in values]
    for before, after in zip(values, sealed, strict=True):
        assert before[:left] == after[:left]
        assert before[len(before) - right :] == after[len(after) - right :]
        middle = after[left : len(after) - right]
        if alphabet in ALPHABETS:
            assert set(middle) <= set(letters)
        elif alphabet == "han_common":
            assert len(middle.encode("gb2312")) == 2 * len(middle)
        else:
            assert all("一" <= c <= "\u9fff" for c in middle)
    assert len(set(sealed)) == len(values)
    assert back(FORMAT, sealed, **chosen) == values


def test_too_short_or_outside_the_alphabet_does_not_fit() -> None:
    assert apply(FORMAT, ["12345", "1234567x", "１２３４５６７", ""]) == ["!"] * 4
    assert apply(FORMAT, ["138000"], keep_left=1) == ["!"]
    assert apply(FORMAT, ["张三丰", "abc"], alphabet="han_common", keep_left=2) == ["!", "!"]


@st.composite
def id_numbers(draw: st.DrawFn) -> str:
    born = draw(
        st.dates(
            min_value=__import__("datetime").date(1880, 1, 1),
            max_value=__import__("datetime").date(2049, 12, 31),
        )
    )
    first = f"{draw(st.sampled_from([11, 44, 65, 81, 91]))}{draw(st.integers(1, 9999)):04}{born:%Y%m%d}"
    first += f"{draw(st.integers(0, 999)):03}"
    return first + id_check_character(first)


@given(
    st.lists(id_numbers(), min_size=1, max_size=10, unique=True),
    st.booleans(),
    st.sampled_from(["ff1-sm4", "ff1-aes"]),
)
@fewer_examples
def test_id_numbers_become_id_numbers(values: list[str], keep: bool, algorithm: str) -> None:
    chosen = {"kind": "id_number", "keep_leading": keep, "algorithm": algorithm}
    sealed = [str(x) for x in apply(NUMBER, values, **chosen)]
    assert all(is_id_number(x) for x in sealed)
    assert all("1880" <= x[6:10] <= "2049" for x in sealed)
    assert not keep or [x[:6] for x in sealed] == [x[:6] for x in values]
    assert len(set(sealed)) == len(values)
    assert back(NUMBER, sealed, **chosen) == values


def test_the_number_of_the_standard() -> None:
    """C.2.2: the example is valid, and so is what becomes of it."""
    [sealed] = apply(NUMBER, ["440524188001010014"], kind="id_number")
    assert sealed is not None
    assert is_id_number(sealed)
    assert sealed != "440524188001010014"
    # A wrong check digit, a day that is none, an old number, one out of the range.
    wrong = ["440524188001010015", "440524188002300010", "440524800101001", "110101187901010013", "x"]
    assert apply(NUMBER, wrong, kind="id_number") == ["!"] * len(wrong)


@st.composite
def cards(draw: st.DrawFn) -> str:
    body = draw(st.text("0123456789", min_size=12, max_size=18))
    return next(body + d for d in "0123456789" if luhn(body + d))


@given(st.lists(cards(), min_size=1, max_size=10, unique=True), st.booleans())
@fewer_examples
def test_cards_become_cards(values: list[str], keep: bool) -> None:
    chosen = {"kind": "bank_card", "keep_leading": keep}
    sealed = [str(x) for x in apply(NUMBER, values, **chosen)]
    assert all(luhn(x) for x in sealed)
    assert [len(x) for x in sealed] == [len(x) for x in values]
    assert not keep or [x[:6] for x in sealed] == [x[:6] for x in values]
    assert len(set(sealed)) == len(values)
    assert back(NUMBER, sealed, **chosen) == values


def test_cards_with_a_wrong_check_digit_do_not_fit() -> None:
    assert (
        apply(NUMBER, ["4111111111111112", "411111111111", "4111 1111 1111 1111"], kind="bank_card")
        == ["!"] * 3
    )


@given(
    st.lists(st.decimals(-1000, 1000, places=2), min_size=2, max_size=30, unique=True),
    st.sampled_from(["sm4", "aes"]),
)
@fewer_examples
def test_order_is_kept(values: list[Decimal], algorithm: str) -> None:
    chosen = {"minimum": -1000.0, "maximum": 1000.0, "decimals": 2, "algorithm": algorithm}
    values = sorted(values)
    sealed = [int(str(x)) for x in apply(ORDER, [str(v) for v in values], **chosen)]
    assert all(a < b for a, b in itertools.pairwise(sealed))
    assert 0 <= sealed[0] <= sealed[-1] < 2**53
    assert [Decimal(x) for x in back(ORDER, [str(x) for x in sealed], **chosen)] == values


def test_every_value_of_a_full_range_has_its_own_place_and_no_other_number_decrypts() -> None:
    chosen = {"minimum": 0.0, "maximum": 999.0}
    sealed = [int(str(x)) for x in apply(ORDER, [str(i) for i in range(1000)], **chosen)]
    assert sealed == sorted(set(sealed))
    strangers = [str(x + 1) for x in sealed if x + 1 not in sealed] + ["-1", str(2**53), "x", "1.5"]
    assert set(back(ORDER, strangers, **chosen)) == {"!"}


@pytest.mark.parametrize("cipher", ["aes", "sm4"])
def test_a_map_of_the_whole_range_has_no_choice(cipher: str) -> None:
    """Only the identity rises strictly from 0 … 2^53-1 into 0 … 2^53-1: every cut lies where it must."""
    numbers = np.array([0, 1, 2, 3, 2**20 + 7, 2**52 - 1, 2**52, 2**53 - 2, 2**53 - 1])
    made = OrderMap(cipher, bytes(range(16)), 2**53)
    assert made.encrypt(numbers).tolist() == numbers.tolist()
    decrypted, genuine = made.decrypt(numbers)
    assert decrypted.tolist() == numbers.tolist()
    assert genuine.all()


def test_every_cut_lies_in_the_middle_half_of_its_interval() -> None:
    """With room to spare the key draws it there, both ends included."""
    made, first = OrderMap("aes", bytes(32), 10**6), np.arange(2000)
    lower, cut = made._cut(first, np.full(2000, 2), np.full(2000, 16))
    assert set(lower.tolist()) == {1}
    assert set(cut.tolist()) == set(range(4, 13))


@pytest.mark.parametrize("keep_leading", [True, False])
def test_identity_numbers_of_counties_that_exist(keep_leading: bool) -> None:
    """People born by 2024 get numbers that another's list of counties accepts; all others come back too."""
    chosen = {"kind": "id_number", "existing": True, "keep_leading": keep_leading}
    known = [f"110108{1930 + i}0315{i:03d}" for i in range(90)] + ["81000019940823002", "83000019920130002"]
    strange = ["44052418800101001", "91112419810803002", "13999919900101001", "11010820400101001"]
    numbers = [body + id_check_character(body) for body in (*known, *strange)]
    sealed = [str(x) for x in apply(NUMBER, numbers, **chosen)]
    assert len({*sealed, *numbers}) == 2 * len(numbers)
    assert all(is_valid(x) for x in sealed[:40])
    assert all(map(is_id_number, sealed))
    assert not keep_leading or [x[:6] for x in sealed] == [x[:6] for x in numbers]
    assert back(NUMBER, sealed, **chosen) == numbers


def test_order_preserving_refuses_what_lies_outside() -> None:
    chosen = {"minimum": 0.0, "maximum": 10.0, "decimals": 1}
    assert apply(ORDER, ["-0.1", "10.1", "1.25", "abc"], **chosen) == ["!"] * 4
    for wrong in ({"minimum": 1.0, "maximum": 1.0}, {"minimum": 0.0, "maximum": 1e12}):
        with pytest.raises(ValidationError):
            OrderPreservingEncryptionSettings(**wrong)


RECIPE = """
steps:
  - {technique: encryption.identifier, column: id, parameters: {kind: id_number}}
  - {technique: generalization.rounding, column: n, parameters: {base: 10}}
"""


def test_only_reversible_steps_are_reversed() -> None:
    recipe = Recipe.parse(RECIPE)
    [sealed] = apply(NUMBER, ["440524188001010014"], kind="id_number", domain="id")
    assert recipe.needs_key()
    found = reverse(recipe, "id", pa.array([sealed]), SECRETS, 1)
    assert found.values.to_pylist() == ["440524188001010014"]
    for column in ("n", "absent"):
        with pytest.raises(EngineError) as error:
            reversible_step(recipe, column)
        assert error.value.code == "not_reversible"


def test_never_without_a_key() -> None:
    with pytest.raises(EngineError) as error:
        Secrets(b"", 1).derive("x", 16)
    assert error.value.code == "key_missing"
    with pytest.raises(EngineError) as salt:
        Secrets(b"k" * 32, b"").derive("x", 16, joinable=False)
    assert salt.value.code == "salt_missing"
    assert len(Secrets(b"k" * 32, 1).derive("x", 80)) == 80
    assert SECRETS.derive("x", 16) != SECRETS.derive("y", 16) != SECRETS.derive("y", 16, national=True)


def test_residence_permits_are_identity_numbers_without_counties_that_exist_too() -> None:
    """Of Hong Kong, Macao and Taiwan and of foreigners: encrypted among those that are of no division, and got back."""
    bodies = ["81000019940823002", "82000019900214111", "83000019920130002", "93112419810803002"]
    numbers = [
        body + id_check_character(body)
        for body in (*bodies, *(f"110108{1930 + i}0315{i:03d}" for i in range(9)))
    ]
    sealed = [str(x) for x in apply(NUMBER, numbers, kind="id_number")]
    assert len({*sealed, *numbers}) == 2 * len(numbers)
    assert all(map(is_id_number, sealed))
    permits = [(x[0] == "9" and x[1] != "1") or x[2:6] == "0000" for x in sealed]
    assert permits == [True] * 4 + [False] * 9
    assert back(NUMBER, sealed, kind="id_number") == numbers
