"""What the recipe says that a step writes: each value of it fits, and what is not of its making does not."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest

from projects.verification.gate.residue import pseudonym_shapes
from techniques.core.operations import Cells
from techniques.recipe.recipe import Recipe
from tests.techniques.apply import apply, operation

HEX, NUMBERS = "0123456789abcdef", ["0", "1", "12", "1380013800"]


def shapes(*steps):
    written = [
        {"technique": technique, "columns": columns, "parameters": parameters}
        for technique, columns, parameters in steps
    ]
    return pseudonym_shapes(Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": written}))


def made(technique, parameters):
    """What the step writes: as values where it takes them one by one, or else as cells."""
    if technique in ("encryption.homomorphic", "encryption.secret_sharing"):
        codes = np.arange(len(NUMBERS), dtype=np.int32)
        return operation(technique, parameters).treat(Cells(pa.array(NUMBERS), codes, 0, "label")).to_pylist()
    return apply(technique, NUMBERS, **parameters)


@pytest.mark.parametrize(
    ("technique", "parameters", "others"),
    [
        ("pseudonymization.keyed_hash", {"alphabet": "hex", "length": 12}, [HEX[:11], HEX[:13], "g" * 12]),
        (
            "pseudonymization.keyed_hash",
            {"alphabet": "hex", "length": 12, "prefix": "P."},
            [HEX[:12], f"Px{HEX[:12]}"],
        ),
        ("pseudonymization.random", {"alphabet": "hex", "length": 12}, [HEX[:11], HEX[:13], "g" * 12]),
        ("encryption.deterministic", {}, [HEX * 2 + "g", HEX + HEX[:15], "G" * 32]),
        ("encryption.deterministic", {"encoding": "base32"}, ["a" * 25, "a" * 25 + "1", "a" * 25 + "8"]),
        ("encryption.homomorphic", {}, [HEX * 63, HEX * 65, "g" * 1024]),
        ("encryption.order_preserving", {"minimum": 0, "maximum": 2 * 10**9}, ["", "1" * 17, "1.5", "a"]),
        ("encryption.secret_sharing", {"holder": 1}, ["", "1" * 20, "1.5", "a"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_a_step_writes_fits_its_shape_and_other_texts_do_not(technique, parameters, others):
    (shape,) = {*shapes((technique, ["c"], parameters)).values()}
    assert all(re.fullmatch(shape, value) for value in made(technique, parameters))
    assert not [other for other in others if re.fullmatch(shape, other)]


def test_a_column_has_the_shape_of_the_last_step_and_none_where_that_writes_none():
    hashed, sealed = "pseudonymization.keyed_hash", "encryption.deterministic"
    alone = shapes((sealed, ["a"], {}))["a"]
    found = shapes(
        (hashed, ["a", "b", "c"], {}),
        (sealed, ["a", "b"], {}),
        ("suppression.mask", ["b"], {"keep_left": 1}),
    )
    assert {*found} == {"a", "c"}
    assert (found["a"], found["c"] == shapes((hashed, ["c"], {}))["c"]) == (alone, True)
