"""GB/T 37964 A.4.2 and A.4.5: assigned pseudonyms and names."""

from __future__ import annotations

import csv
import stat
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.pseudonymization import NameDictionarySettings, RandomPseudonymSettings
from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.families.pseudonymization import made_up_names as names
from tests.techniques.apply import apply, operation

RANDOM, NAMES = "pseudonymization.random", "pseudonymization.name_dictionary"
values = st.lists(st.text(max_size=5), min_size=1, max_size=30)


@given(values, st.sampled_from([("digits", 10), ("hex", 8), ("base32", 12)]))
def test_pseudonyms_are_one_to_one(column: list[str], form: tuple[str, int]) -> None:
    made = apply(RANDOM, column, alphabet=form[0], length=form[1], prefix="P")
    assert len(set(zip(column, made, strict=True))) == len(set(column)) == len(set(made))
    assert all(str(x)[0] == "P" and len(str(x)) == form[1] + 1 for x in made)


def test_pseudonyms_do_not_depend_on_the_value() -> None:
    assert apply(RANDOM, ["张三", "李四"]) == apply(RANDOM, ["甲", "乙"])


def test_pseudonyms_need_room() -> None:
    with pytest.raises(EngineError) as error:
        operation(RANDOM, {"length": 8}, rows=200_000)
    assert error.value.code == "pseudonyms_too_few"
    for wrong in ({"length": 5}, {"length": 18, "alphabet": "hex"}):
        with pytest.raises(ValidationError):
            RandomPseudonymSettings(**wrong)


def test_made_up_names_are_all_different() -> None:
    everything = [names.name(i) for i in range(names.CAPACITY)]
    assert len(set(everything)) == names.CAPACITY > 100_000
    assert {len(name) for name in everything} == {2, 3}


def test_the_dictionary_of_the_standard() -> None:
    """A.4.5: 200 names, drawn at random, many to one."""
    column = [f"person {i}" for i in range(2000)]
    made = apply(NAMES, column * 2)
    assert made[:2000] == made[2000:]
    drawn = Counter(made[:2000])
    assert 190 <= len(drawn) <= 200
    assert max(drawn.values()) < 30
    state = operation(NAMES, {}).fit(__import__("pyarrow").array(column), None)
    assert state.facts["report"] == {
        "values": 2000, "names": len(drawn), "values_sharing_a_name": 2000 - len(drawn),
    }  # fmt: skip


@given(values)
@settings(max_examples=30)
def test_one_to_one_names(column: list[str]) -> None:
    made = apply(NAMES, column, mode="one_to_one", size=1000)
    assert len(set(zip(column, made, strict=True))) == len(set(column)) == len(set(made))


def test_own_names() -> None:
    own = ["甲", "乙", "丙"]
    assert set(apply(NAMES, list("abc"), mode="one_to_one", names=own)) == set(own)
    with pytest.raises(EngineError) as error:
        apply(NAMES, list("abcd"), mode="one_to_one", names=own)
    assert error.value.code == "names_too_few"
    for wrong in (["甲", "甲"], ["甲"], ["甲", ""]):
        with pytest.raises(ValidationError):
            NameDictionarySettings(names=wrong)


def test_the_mapping_table_of_a_run(tmp_path: Path) -> None:
    recipe, source = tmp_path / "r.yaml", tmp_path / "s.csv"
    recipe.write_text("steps: [{technique: pseudonymization.random, column: n}]")
    source.write_text("n\na\nb\na\n\n" * 3)
    code = main(["run", str(recipe), str(source), str(tmp_path / "o.csv"), "--mapping", str(tmp_path / "m")])
    assert code == 0
    table = tmp_path / "m" / "mapping-1.csv"
    assert stat.S_IMODE(table.stat().st_mode) == 0o600
    pairs = {row["value"]: row["pseudonym"] for row in csv.DictReader(table.open())}
    results = [row["n"] for row in csv.DictReader((tmp_path / "o.csv").open())]
    assert set(results) - {""} == set(pairs.values())


def test_encryption_without_a_kept_seed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, source, key = tmp_path / "r.yaml", tmp_path / "s.csv", tmp_path / "key"
    recipe.write_text("steps: [{technique: encryption.deterministic, column: n}]")
    source.write_text("n\na\n")
    options = ["run", str(recipe), str(source), str(tmp_path / "o.csv"), "--generate-key", str(key)]
    assert main(options) == 2
    assert "seed" in capsys.readouterr().err
    assert not key.exists()
    recipe.write_text(
        "steps: [{technique: encryption.deterministic, column: n, parameters: {joinable: project}}]"
    )
    assert main(options) == 0


def test_the_command_gets_encrypted_values_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe, source, result, again = (tmp_path / n for n in ("r.yaml", "s.csv", "o.csv", "b.csv"))
    key, seed = tmp_path / "key", tmp_path / "seed"
    key.write_text("k" * 32)
    seed.write_text("a seed of the run")
    recipe.write_text(
        "unlisted: keep\nsteps: [{technique: encryption.format_preserving, column: phone, parameters: {keep_left: 3}}]"
    )
    source.write_text("phone,n\n13800138000,1\n,2\n13900139000,3\n")
    secrets = ["--key-file", str(key), "--seed-file", str(seed)]
    assert main(["run", "--order", "kept", str(recipe), str(source), str(result), *secrets]) == 0
    assert "13800138000" not in result.read_text()
    assert main(["reverse", str(recipe), str(result), "phone", str(again), *secrets]) == 0
    assert list(csv.DictReader(again.open())) == list(csv.DictReader(source.open()))
    for read in (recipe, result, key, seed):
        kept = read.read_bytes()
        assert main(["reverse", str(recipe), str(result), "phone", str(read), *secrets]) == 2
        assert read.read_bytes() == kept
    assert main(["reverse", str(recipe), str(result), "phone", "/dev/null", *secrets]) == 0
    assert Path("/dev/null").is_char_device()
    assert main(["reverse", str(recipe), str(result), "n", str(again), *secrets]) == 2
    recipe.write_text("unlisted: keep\nsteps: [{technique: encryption.deterministic, column: phone}]")
    again.unlink()
    assert main(["reverse", str(recipe), str(result), "phone", str(again), *secrets]) == 2
    assert "did not encrypt" in capsys.readouterr().err
    assert not again.exists()
