"""Where equal values become equal: inside one run, or in every run of the project."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques import catalogue
from techniques.core.operations import Context
from techniques.core.secrets import Secrets
from techniques.families.encryption import homomorphic
from techniques.families.encryption.ciphers import paillier
from techniques.identification.checks import id_check_character
from tests.techniques.apply import cells

VALUES = pa.array(["11010819900315001" + id_check_character("11010819900315001"), "4400000000001", "12", "7"])
KEY, OTHER_KEY = b"a key of thirty-two bytes, or so", b"another key, thirty-two bytes ..."
PARAMETERS: dict[str, dict[str, Any]] = {
    "deterministic": {},
    "format_preserving": {"alphabet": "digits"},
    "identifier": {"kind": "id_number"},
    "order_preserving": {"minimum": 0.0, "maximum": 100.0},
}


def made(name: str, parameters: dict[str, Any], key: bytes, seed: int) -> Any:
    read = catalogue.get(f"encryption.{name}").settings.model_validate(parameters, strict=True)
    context = Context(0, ("c",), len(VALUES), Secrets(key=key, seed=seed))
    return catalogue.implementation(f"encryption.{name}")(read, context)


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("joinable", ["run", "project"])
def test_two_runs_are_equal_where_that_was_chosen_and_only_there(name: str, joinable: str) -> None:
    def sealed(key: bytes, seed: int) -> list[str]:
        outcome = made(name, PARAMETERS[name] | {"joinable": joinable}, key, seed).apply(VALUES)
        unfit = np.zeros(len(VALUES), bool) if outcome.unfit is None else outcome.unfit
        found: list[str] = outcome.values.filter(pa.array(~unfit)).to_pylist()
        assert found
        return found

    first = sealed(KEY, 1)
    assert sealed(KEY, 1) == first
    assert (sealed(KEY, 2) == first) is (joinable == "project")
    assert sealed(OTHER_KEY, 1) != first


@pytest.mark.parametrize("joinable", ["run", "project"])
def test_ciphertexts_of_two_runs_add_where_that_was_chosen_and_only_there(
    joinable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their key is one, and still no two cells are equal: the randomness is each run's own. Short keys, for speed."""
    monkeypatch.setattr(homomorphic, "key_from_seed", lambda seed, _bits: paillier.key_from_seed(seed, 512))
    twice = cells(["12"], np.zeros(2))
    runs = [made("homomorphic", {"joinable": joinable}, KEY, seed) for seed in (1, 2)]
    keys = {one.facts()["public_key"] for one in runs}
    assert len(keys) == (1 if joinable == "project" else 2)
    assert len({cell for one in runs for cell in one.treat(twice).to_pylist()}) == 4
