"""What the recipe says that a step writes: each value of it fits, and what is not of its making does not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from projects.verification.gate.check import TableSubject
from projects.verification.gate.residue import pseudonym_shapes, with_traces
from techniques.core.attributes import AttributeRole
from techniques.identification.residual import ResidualReport
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.checks.test_checks import clinic
from tests.techniques.apply import apply, cells, operation

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
        return operation(technique, parameters).treat(cells(NUMBERS, range(len(NUMBERS)))).to_pylist()
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


@pytest.mark.parametrize("left", [40, 20, 8])
def test_how_much_of_a_direct_identifier_is_left_is_said_in_rows_and_as_their_share(left):
    """The other cells are empty; nothing but the source says that these texts name somebody."""
    numbers = [f"zq{7 * row + 11:05}" for row in range(40)]
    case = clinic(
        "id,s\n" + "".join(f"{number},x\n" for number in numbers),
        "id,s\n" + "".join(f"{number if row < left else ''},x\n" for row, number in enumerate(numbers)),
    )
    case = replace(case, roles={"id": AttributeRole.DIRECT_IDENTIFIER})
    nothing = ResidualReport.model_construct(rows=40, coverage=1.0, findings=(), scan=None)
    found = with_traces(nothing, TableSubject(case))
    assert [(one.column, one.rows, one.rate) for one in found.findings] == [("id", left, left / 40)]
    # What the scan has found by itself is not said twice.
    assert with_traces(found, TableSubject(case)).findings == found.findings
