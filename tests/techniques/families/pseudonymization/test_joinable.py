"""How far keyed hashes can be joined (A.4.3): inside a run, a project, a purpose, or never again, on real runs."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import techniques
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.recipe.recipe import Recipe
from techniques.recipe.reversibility import way_back

VALUES = [f"P{number:03}" for number in range(50)]
ONE, OTHER = b"the key of one project, 32 bytes", b"the key of the other, 32 bytes.."
STUDY = {"study": b"what the projects of it share..."}


def _recipe(**parameters: Any) -> Recipe:
    step = {"technique": "pseudonymization.keyed_hash", "columns": ["id"], "parameters": parameters}
    return Recipe.from_data({"recipe": 1, "steps": [step]})


def _pseudonyms(
    parameters: dict[str, Any], key: bytes, seed: int, purposes: dict[str, bytes] | None = None
) -> list[str]:
    done = techniques.run(
        _recipe(**parameters), pa.table({"id": VALUES}), key=key, seed=seed, purpose_keys=purposes
    )
    said = done.report["steps"][0].get("result", {}).get("id", {})
    assert said.get("joinable", "run") == parameters.get("joinable", "run")
    found: list[str] = done.table.column("id").to_pylist()
    assert len(set(found)) == len(VALUES)
    return found


@pytest.mark.parametrize("algorithm", ["hmac-sm3", "hmac-sha256"])
@pytest.mark.parametrize(
    ("joinable", "in_runs", "in_projects"),
    [("run", False, False), ("project", True, False), ("purpose", True, True), ("never", False, False)],
)
def test_joined_as_far_as_was_chosen(algorithm: str, joinable: str, in_runs: bool, in_projects: bool) -> None:
    parameters = {"joinable": joinable, "algorithm": algorithm}
    purposes = STUDY if joinable == "purpose" else None
    parameters |= {"purpose": "study"} if purposes else {}
    first, again, elsewhere = (
        _pseudonyms(parameters, key, seed, purposes) for key, seed in ((ONE, 1), (ONE, 2), (OTHER, 1))
    )
    for other, joins in ((again, in_runs), (elsewhere, in_projects)):
        assert len(set(first) & set(other)) == (len(VALUES) if joins else 0)
        assert (first == other) is joins
    assert (_pseudonyms(parameters, ONE, 1, purposes) == first) is (joinable != "never")


def test_purposes_and_choices_are_kept_apart() -> None:
    one_key = dict.fromkeys(("study", "billing"), ONE)
    made = [
        _pseudonyms({"joinable": "purpose", "purpose": "study"}, ONE, 1, one_key),
        _pseudonyms({"joinable": "purpose", "purpose": "billing"}, ONE, 1, one_key),
        _pseudonyms({"joinable": "project"}, ONE, 1),
        _pseudonyms({}, ONE, 1),
        _pseudonyms({"joinable": "project", "domain": "another"}, ONE, 1),
    ]
    assert len(set().union(*made)) == len(made) * len(VALUES)


def test_keys_that_are_needed_and_no_others() -> None:
    _pseudonyms({"joinable": "never"}, b"", 1)
    _pseudonyms({"joinable": "purpose", "purpose": "study"}, b"", 1, STUDY)
    for parameters, purposes, code in (
        ({"joinable": "project"}, None, "key_missing"),
        ({"joinable": "purpose", "purpose": "study"}, {"other": ONE}, "purpose_key_missing"),
        ({"joinable": "purpose", "purpose": "study"}, {"study": b"short"}, "key_too_short"),
    ):
        with pytest.raises(EngineError) as error:
            _pseudonyms(parameters, b"", 1, purposes)
        assert error.value.code == code
    for wrong in ({"joinable": "purpose"}, {"joinable": "run", "purpose": "study"}):
        with pytest.raises(EngineError):
            _recipe(**wrong)
    assert Secrets(b"", 1, once=ONE).fingerprint() != Secrets(b"", 1).fingerprint()


def test_recipes_of_before_keep_hash_meaning_and_way_back() -> None:
    before = "a857f4ad33f2dbd3c2c551a27ea1bfb4832aa1b168e8e629f84b70801e77e351"
    assert _recipe().content_hash() == _recipe(joinable="run").content_hash() == before
    assert _recipe(joinable="project").content_hash() != before
    done = techniques.run(_recipe(), pa.table({"id": ["a", "b"]}), key=b"k" * 32, seed=7)
    assert done.table.column("id").to_pylist() == [
        "64af3fbf6058ccc2a0f730a90baf9532",
        "c309272e1d7e60641567012e543ba478",
    ]
    ways = {one: way_back(_recipe(joinable=one), "id") for one in ("run", "project", "never")}
    assert ways["run"] == ways["project"] != ways["never"] is None


def test_table_c1_says_nothing_against_linking_where_releases_join() -> None:
    for joinable, linking in (("run", "partly"), ("never", "partly"), ("project", "no")):
        step = _recipe(joinable=joinable).steps[0]
        row = step.spec.properties_with(step.parameters)
        assert row is not None
        assert row.linking.value == linking
