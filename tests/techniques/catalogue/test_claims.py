"""Every claim of the catalogue, held against what the code does with random data."""

from __future__ import annotations

import pkgutil
import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques import catalogue
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Scope
from techniques.cli import catalogue_page as documentation
from techniques.core.operations import DrawOperation, RowOperation, Tally, WholeOperation
from techniques.families.encryption.ciphers import shamir
from techniques.families.encryption.homomorphic import add_ciphertexts
from techniques.values.dates import parse_dates
from tests.techniques import families
from tests.techniques.apply import Column, cells, cells_of, operation, through_file, whole
from tests.techniques.drawn import address, date, day, degrees, digits, id_number, number, phone, word

Columns = list[Column]


STAR = {"kind": "star"}
FREE = {"kind": "free"}
Cases = dict[str, list[tuple[Callable[[random.Random], str], int, dict[str, Any]]]]
CASES: Cases = {
    "statistical.sampling": [(word, 2, {"fraction": 0.5}), (number, 1, {"fraction": 0.3, "method": "cluster"})],
    "statistical.aggregation": [(lambda d: str(d.randrange(5)), 2, {"statistics": {"c1": "mean"}, "minimum_count": 2, "maximum_share": 1.0})],
    "encryption.deterministic": [(word, 1, {}), (number, 1, {}), (word, 1, {"algorithm": "aes-siv", "hide_length": False})],
    "encryption.format_preserving": [(digits, 1, {}), (digits, 1, {"algorithm": "ff1-aes"})],
    "encryption.identifier": [(id_number, 1, {"kind": "id_number"}), (id_number, 1, {"kind": "id_number", "keep_leading": True})],
    "encryption.order_preserving": [(number, 1, {"minimum": 0.0, "maximum": 10_000.0})],
    "encryption.homomorphic": [(number, 1, {}), (lambda d: str(d.randrange(3)), 1, {})],
    "encryption.secret_sharing": [(number, 1, {"holder": 1})],
    "suppression.mask": [(word, 1, {"keep_left": 1}), (number, 1, {"keep_left": 1})],
    "suppression.mask_identifier": [(id_number, 1, {"kind": "id_number"}), (phone, 1, {"kind": "phone"}), (phone, 1, {"kind": "phone", "hide_serial": True})],
    "suppression.redact_text": [(word, 1, {})],
    "suppression.rare_values": [(lambda d: str(d.randrange(20)), 1, {"maximum_share": 1.0})],
    "suppression.rare_combinations": [(lambda d: str(d.randrange(4)), 3, {"maximum_share": 1.0})],
    "suppression.rare_records": [(lambda d: str(d.randrange(4)), 2, {"maximum_share": 1.0})],
    "pseudonymization.keyed_hash": [(word, 1, {}), (number, 1, {})],
    "pseudonymization.random": [(word, 1, {}), (number, 1, {"prefix": "P"})],
    "pseudonymization.name_dictionary": [(word, 1, {}), (word, 1, {"mode": "one_to_one", "size": 5000})],
    "generalization.rounding": [(number, 1, {"base": 10, "method": m}) for m in ("nearest", "stochastic", "down", "up")],
    "generalization.controlled_rounding": [(number, 1, {"base": 1000})],
    "generalization.top_bottom_coding": [(number, 1, {"top": 5000.0})],
    "generalization.intervals": [(number, 1, {"width": 100.0})],
    "generalization.date": [(date, 1, {"unit": u}) for u in ("month", "quarter", "year", "decade")],
    "generalization.region": [(address, 1, {})],
    "generalization.hierarchy": [(number, 1, {"hierarchy": {"kind": "intervals", "widths": [10]}})],
    "generalization.personal_levels": [(lambda d: str(d.randrange(1, 4)), 2, {"level_column": "c1", "tree": STAR, "levels": {"3": 3}})],
    "generalization.mapping": [(lambda d: d.choice("ab"), 1, {"mapping": {"a": "x", "b": "x"}})],
    "randomization.noise": [(number, 1, {"spread": 50.0}), (number, 1, {"spread": 0.2, "method": "multiplicative"})],
    "randomization.correlated_noise": [(number, 3, {"decimals": 6})],
    "randomization.permutation": [(word, 3, {}), (number, 1, {})],
    "randomization.microaggregation": [(number, 1, {"decimals": 6}), (number, 3, {"decimals": 6})],
    "randomization.date_noise": [(date, 1, {"maximum": 20}), (day, 1, {})],
    "randomization.date_shift": [(date, 2, {"subject": "c0"}), (day, 2, {"subject": "c0"})],
    "randomization.position_noise": [(degrees, 2, {"latitude": "c0", "longitude": "c1"}), (lambda d: str(d.randrange(3)), 2, {"latitude": "c0", "longitude": "c1", "repeated": "apart"})],
    "generalization.position": [(degrees, 2, {"latitude": "c0", "longitude": "c1", "minimum_people": 5})],
    "synthesis.identifier": [(m, 1, {"kind": k}) for m, k in ((id_number, "id_number"), (phone, "phone"), (id_number, "bank_card"), (word, "name"), (address, "address"))],
    "synthesis.sequential": [(number, 2, {}), (date, 2, {"minimum_count": 1}), (lambda d: d.choice("abc"), 2, {"minimum_count": 1})],
    "synthesis.private": [(number, 2, {"domains": {"c0": "0..9999", "c1": "0..9999"}, "epsilon": 5.0})],
    "model.k_anonymity": [
        (lambda d: str(d.randrange(4)), 2, {"k": 2, "suppression_limit": 1.0, "hierarchies": {"c0": STAR, "c1": STAR}}),
        (number, 2, {"k": 2, "recoding": "local", "hierarchies": {"c0": FREE, "c1": FREE}}),
    ],
    "model.l_diversity": [
        (lambda d: str(d.randrange(4)), 3, {"k": 2, "recoding": r, "suppression_limit": 0.1, "hierarchies": {"c0": STAR, "c1": STAR}, "sensitive": {"c2": {"distinct": 2}}})
        for r in ("full_domain", "local")
    ],
    "model.t_closeness": [
        (lambda d: str(d.randrange(4)), 3, {"k": 2, "recoding": r, "suppression_limit": 0.1, "hierarchies": {"c0": STAR, "c1": STAR}, "sensitive": {"c2": {"t": 0.5}}})
        for r in ("full_domain", "local")
    ],
}  # fmt: skip
"""By technique how values are drawn, for how many columns, and the settings."""


def cases_of_families() -> Cases:
    """What the tests of single techniques add, under the name ``CLAIM_CASES``."""
    found: Cases = {}
    for module in pkgutil.walk_packages(families.__path__, f"{families.__name__}."):
        found |= getattr(import_module(module.name), "CLAIM_CASES", {})
    return found


CASES |= cases_of_families()
CLAIMED = {spec.key: spec.claims for spec in catalogue.techniques() if spec.claims is not None}
Names = ("c0", "c1", "c2")


def treated(key: str, columns: Columns, parameters: dict[str, Any]) -> tuple[Columns, np.ndarray]:
    """The columns after the technique, row by row, and which rows are left."""
    table = whole(columns)
    own = len(columns) - len(parameters.get("sensitive", ())) - ("level_column" in parameters)
    made = operation(key, parameters, table.rows, Names[:own])
    left = np.ones(table.rows, dtype=bool)
    if isinstance(made, WholeOperation):
        outcome = made.treat(table, lambda share: None)
        return cells_of(outcome), ~outcome.removed
    if catalogue.get(key).scope is Scope.TABLE:
        combos = Counter(zip(*(codes.tolist() for codes in table.codes), strict=True))
        codes = [np.array(column, np.int32) for column in zip(*combos, strict=True)]
        state = made.fit(
            Tally(table.dictionaries, codes, np.array(list(combos.values()))), lambda share: None
        )
        dictionaries = made.restore(through_file(state))
        result = made.apply(table.codes if made.reads else table.codes[:own])
        after = [
            [None if c < 0 else d[int(c)].as_py() for c in codes]
            for d, codes in zip(dictionaries, result.codes, strict=True)
        ]
        return after, ~result.removed
    [values], [codes] = table.dictionaries, table.codes
    if made.needs_counts if not isinstance(made, DrawOperation) else False:
        made.restore(through_file(made.fit(values, np.bincount(codes, minlength=len(values)))))
    if isinstance(made, RowOperation):
        return [made.treat(cells(values, codes)).to_pylist()], left
    if isinstance(made, DrawOperation):
        found = made.branches(values)
        draw = np.random.default_rng(1).random(len(codes)) < found.probability[codes]
        return [
            [(found.second if d else found.first)[int(c)].as_py() for d, c in zip(draw, codes, strict=True)]
        ], left
    new = made.apply(values).values
    return [[new[int(c)].as_py() for c in codes]], left


def pairs(
    key: str, make: Callable[[random.Random], str], width: int, parameters: dict[str, Any], seed: int
) -> list[list[tuple[str, str]]]:
    """Per column (before, after) of the cells that are still there."""
    draw = random.Random(seed)
    least = 20 if key.startswith("synthesis.") else 10
    rows = 8 if key == "encryption.homomorphic" else draw.randrange(least, 60)
    columns: Columns = [[make(draw) for _ in range(rows)] for _ in range(width)]
    after, left = treated(key, columns, parameters)
    return [
        [(str(b), a) for b, a, stays in zip(old, new, left, strict=True) if stays and a is not None]
        for old, new in zip(columns[: len(after)], after, strict=True)
    ]  # fmt: skip


def shape(text: str) -> list[str]:
    return ["digit" if c.isdigit() else unicodedata.name(c, "?").split()[0] for c in text]


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def in_order(cells: Sequence[tuple[str, str]]) -> bool:
    if all(is_number(b) and is_number(a) for b, a in cells):
        numbers = sorted((float(b), float(a)) for b, a in cells)
        return all(x[1] <= y[1] for x, y in pairwise(numbers))
    texts = sorted(cells)
    return all(x[1] <= y[1] for x, y in pairwise(texts))


def in_shape(cells: Sequence[tuple[str, str]]) -> bool:
    # The check character of an ID number may be a letter.
    return all(shape(b[:17] if len(b) == 18 else b) == shape(a[:17] if len(b) == 18 else a) for b, a in cells)


def of_type(cells: Sequence[tuple[str, str]]) -> bool:
    # What has more digits than a number holds is an identifier, whatever it looks like.
    if all(is_number(b) and len(b) < 16 for b, _ in cells):
        return all(is_number(a) for _, a in cells)
    if cells and parse_dates(pa.array([b for b, _ in cells])).valid.all():
        return bool(parse_dates(pa.array([a for _, a in cells])).valid.all())
    return True


def one_to_one(cells: Sequence[tuple[str, str]]) -> bool:
    return len(set(cells)) == len({b for b, _ in cells}) == len({a for _, a in cells})


CHECKS = {"order": in_order, "format": in_shape, "type": of_type, "distinctness": one_to_one}


def test_every_claim_has_a_case() -> None:
    expected = {spec.key for spec in catalogue.techniques() if spec.scope is not Scope.STRUCTURE}
    assert expected >= set(CLAIMED) == set(CASES)
    ours = {key for key in expected if not key.startswith("model.")}
    assert ours <= set(CLAIMED), "every technique says what it keeps"
    for key in CLAIMED:
        assert catalogue.get(key).keeps
        assert catalogue.get(key).not_for


@pytest.mark.parametrize(
    ("key", "claim"),
    [
        (key, claim)
        for key, claims in CLAIMED.items()
        for claim in CHECKS
        if getattr(claims, claim) is Effect.YES
    ],
)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=15)
def test_what_is_claimed_to_stay_stays(key: str, claim: str, seed: int) -> None:
    for make, width, parameters in CASES[key]:
        for pair in pairs(key, make, width, parameters, seed):
            assert CHECKS[claim](pair)


@pytest.mark.parametrize(
    ("key", "claim"),
    [
        (key, claim)
        for key, claims in CLAIMED.items()
        for claim in CHECKS
        if getattr(claims, claim) is Effect.NO
    ],
)
def test_what_is_not_claimed_does_break(key: str, claim: str) -> None:
    """A "no" is not modesty: there are data with which it breaks. So nobody refuses a technique for nothing."""
    if key in ("suppression.redact_text", "generalization.mapping", "generalization.region"):
        pytest.skip("depends on what stands in the text or in the list")
    broken = any(
        not CHECKS[claim](cells)
        for seed in range(20)
        for make, width, parameters in CASES[key]
        for cells in pairs(key, make, width, parameters, seed)
    )
    assert broken


def floats(cells: Sequence[str | None]) -> np.ndarray:
    return np.array([float(str(c)) for c in cells])


def sums_on_ciphertexts(columns: Columns, after: Columns) -> bool:
    made = operation("encryption.homomorphic", {}, len(columns[0]), ("c0",))
    total = add_ciphertexts(made.facts()["public_key"], [str(c) for c in after[0]])
    return float(made.reverse(pa.array([total])).values[0].as_py()) == floats(columns[0]).sum()


def sums_on_shares(columns: Columns, after: Columns) -> bool:
    other = operation("encryption.secret_sharing", {"holder": 3}, len(columns[0]), ("c0",))
    table = whole(columns)
    shares = other.treat(cells(table.dictionaries[0], table.codes[0])).to_pylist()
    sums = {1: [sum(int(str(x)) for x in after[0])], 3: [sum(map(int, shares))]}
    return shamir.combine(sums) == [round(100 * floats(columns[0]).sum())]


def same_moments(columns: Columns, after: Columns) -> bool:
    before_, after_ = (np.stack([floats(c) for c in cs]) for cs in (columns, after))
    return np.allclose(before_.mean(axis=1), after_.mean(axis=1)) and np.allclose(
        np.cov(before_), np.cov(after_), rtol=1e-4
    )


STATISTICS: dict[str, Callable[[Columns, Columns], bool]] = {
    "encryption.homomorphic": sums_on_ciphertexts,
    "encryption.secret_sharing": sums_on_shares,
    "generalization.controlled_rounding": lambda b, a: abs(floats(b[0]).sum() - floats(a[0]).sum()) < 1000,
    "randomization.correlated_noise": same_moments,
    "randomization.permutation": lambda b, a: Counter(zip(*b, strict=True)) == Counter(zip(*a, strict=True)),
    "randomization.microaggregation": lambda b, a: all(np.isclose(floats(x).mean(), floats(y).mean()) for x, y in zip(b, a, strict=True)),
}  # fmt: skip


@pytest.mark.parametrize("key", [key for key, c in CLAIMED.items() if c.statistics is Effect.YES])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=10)
def test_statistics_that_are_claimed_to_stay(key: str, seed: int) -> None:
    for make, width, parameters in CASES[key]:
        draw = random.Random(seed)
        # Every cell of homomorphic encryption takes its time.
        rows = 5 if key == "encryption.homomorphic" else 20
        columns: Columns = [[make(draw) for _ in range(rows)] for _ in range(width)]
        assert STATISTICS[key](columns, treated(key, columns, parameters)[0])


def test_reversible_is_what_has_a_way_back() -> None:
    for key, claims in CLAIMED.items():
        spec = catalogue.get(key)
        assert (claims.reversible is Effect.YES) == spec.reversible
        for make, _, parameters in CASES[key] if spec.reversible else []:
            draw = random.Random(3)
            columns: Columns = [[make(draw) for _ in range(5)]]
            after, _ = treated(key, columns, parameters)
            made = operation(key, parameters, 5, ("c0",))
            assert made.reverse(pa.array(after[0], pa.string())).values.to_pylist() == columns[0]


def test_the_page_is_the_catalogue() -> None:
    assert documentation.PAGE.read_text(encoding="utf-8") == documentation.page(), "make techniques-page"
    assert documentation.main(["--check"]) == 0


def test_claims_are_in_the_json_of_the_catalogue() -> None:
    claims = catalogue.get("encryption.order_preserving").as_dict()["claims"]
    assert claims["order"] == "yes"
    assert claims["not_for"]
