"""``deid run`` from file to file, and what it says when something is wrong."""

from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.cli.main import main

EXAMPLES = Path(__file__).resolve().parents[3] / "docs/examples"
ROUND = "steps: [{technique: generalization.rounding, column: n, parameters: {base: 10}}]"


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as stream:
        return list(csv.DictReader(stream))


def test_the_salary_example_of_the_standard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A.3.6: name and post gone, pay and years generalised, the one lone record suppressed."""
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    code = main(
        [
            "run",
            str(EXAMPLES / "salaries.yaml"),
            str(EXAMPLES / "salaries.csv"),
            str(out),
            "--report",
            str(report),
        ]
    )
    assert code == 0
    rows = read(out)
    assert list(rows[0]) == ["性别", "薪水", "工作年限"]
    assert Counter((r["薪水"], r["工作年限"]) for r in rows) == {
        ("[5000,10000)", "0-3"): 4,
        ("[10000,15000)", "4-6"): 4,
        ("[15000,20000)", ">=7"): 3,
    }
    figures = json.loads(report.read_text())
    assert (figures["rows_in"], figures["rows_out"]) == (12, 11)
    assert figures["steps"][-1]["counts"] == {"rows_removed": 1, "rows_suppressed": 1}
    assert "seconds" in figures
    assert "11 rows out" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "report.json"]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_from_any_form_to_any_form(tmp_path: Path, suffix: str) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(ROUND)
    source = tmp_path / "in.csv"
    source.write_text("n\n7\n12\n\n101\n")
    source.write_text("n,m\n7,a\n12,b\n,c\n101,d\n")
    recipe.write_text(ROUND + "\nunlisted: keep\n")
    first = tmp_path / f"first{suffix}"
    assert main(["run", "--order", "kept", str(recipe), str(source), str(first)]) == 0
    last = tmp_path / "last.csv"
    assert main(["run", "--order", "kept", str(recipe), str(first), str(last)]) == 0
    assert [(r["n"], r["m"]) for r in read(last)] == [("10", "a"), ("10", "b"), ("", "c"), ("100", "d")]
    if suffix == ".parquet":
        assert pq.read_table(first).column("n").combine_chunks() == pa.array(["10", "10", None, "100"])


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_the_same_bytes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setenv("DEID_SEED", "a seed")
    recipe = tmp_path / "r.yaml"
    recipe.write_text(ROUND.replace("base: 10", "base: 10, method: stochastic"))
    source = tmp_path / "in.csv"
    source.write_text("n\n" + "\n".join(map(str, range(500))) + "\n")
    for name in ("one", "two"):
        assert (
            main(["run", "--order", "kept", str(recipe), str(source), str(tmp_path / f"{name}{suffix}")]) == 0
        )
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_pseudonyms_need_a_key_that_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEID_KEY", raising=False)
    monkeypatch.setenv("DEID_SEED", "a seed")
    recipe, source = tmp_path / "r.yaml", tmp_path / "in.csv"
    recipe.write_text("steps: [{technique: pseudonymization.keyed_hash, column: n}]")
    source.write_text("n\nalice\nbob\nalice\n")
    arguments = ["run", str(recipe), str(source), str(tmp_path / "out.csv")]
    assert main(arguments) == 2
    assert "--generate-key" in capsys.readouterr().err
    key = tmp_path / "key"
    assert main([*arguments, "--generate-key", str(key)]) == 0
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    made = [r["n"] for r in read(tmp_path / "out.csv")]
    assert made[0] == made[2] != made[1]
    assert main([*arguments, "--key-file", str(key)]) == 0
    assert [r["n"] for r in read(tmp_path / "out.csv")] == made
    assert main([*arguments, "--generate-key", str(key)]) == 2  # never over a key that is there


@pytest.mark.parametrize(
    ("recipe", "content", "says"),
    [
        ("steps: [", "n\n1\n", "line 1"),
        (ROUND.replace("base: 10", "base: -1"), "n\n1\n", "steps[0].parameters.base"),
        (ROUND, "m\n1\n", "no column called n"),
        (ROUND, "n,m\n1,2\n", "nothing about these columns: m"),
        (ROUND, "n\n1\nsecret\n", "rows 2"),
        (ROUND, "n,m\n1,2\n3\n", "3"),
        (ROUND, "", "empty"),
    ],
)
def test_errors_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recipe: str, content: str, says: str
) -> None:
    (tmp_path / "r.yaml").write_text(recipe)
    (tmp_path / "in.csv").write_text(content)
    out = tmp_path / "out.csv"
    assert main(["run", str(tmp_path / "r.yaml"), str(tmp_path / "in.csv"), str(out)]) == 2
    printed = capsys.readouterr().err
    assert says in printed
    assert "secret" not in printed
    assert "Traceback" not in printed
    assert not out.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "r.yaml"]


def test_files_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "no.yaml"), "a", "b"]) == 2
    assert "no.yaml" in capsys.readouterr().err


def test_the_input_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.yaml").write_text(ROUND)
    (tmp_path / "in.csv").write_text("n\n1\n")
    same = str(tmp_path / "in.csv")
    assert main(["run", str(tmp_path / "r.yaml"), same, same]) == 2
    assert (tmp_path / "in.csv").read_text() == "n\n1\n"


def test_techniques_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["techniques", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert "model.k_anonymity" in {entry["key"] for entry in listed}
    assert main(["techniques"]) == 0
    assert "suppression.mask\n" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--report", "--generate-key"])
@pytest.mark.parametrize("name", ["in.csv", "r.yaml", "out.csv", "key", "h.csv", "link"])
def test_no_output_destroys_what_is_read_or_another_output(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "r.yaml": "steps: [{technique: generalization.hierarchy, column: n, parameters: {hierarchy: {kind: file, "
        "file: h.csv}, level: 1}}]",
        "in.csv": "n\n1\n", "h.csv": "1;x\n", "key": "0123456789abcdef0123456789abcdef",
    }  # fmt: skip
    for file, text in texts.items():
        Path(file).write_text(text)
    Path("link").symlink_to("in.csv")
    assert main(["run", "r.yaml", "in.csv", "out.csv", "--key-file", "key", option, name]) == 2
    assert name in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == texts | {"link": texts["in.csv"]}


def test_an_older_mapping_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("steps: [{technique: pseudonymization.random, column: n}]")
    (tmp_path / "in.csv").write_text("n\nalice\nbob\n")
    arguments = [str(tmp_path / name) for name in ("r.yaml", "in.csv", "out.csv")]
    mapping = ["--mapping", str(tmp_path / "m")]
    key = ["--generate-key", str(tmp_path / "key")]
    assert main(["run", *arguments, *mapping, *key]) == 0
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "m/mapping-1.csv").stat().st_mode) == 0o600
    before = (tmp_path / "out.csv").read_bytes()
    assert main(["run", *arguments, *mapping, "--generate-key", str(tmp_path / "key2")]) == 2
    assert (tmp_path / "out.csv").read_bytes() == before
    assert not (tmp_path / "key2").exists()


def test_a_key_is_made_only_when_the_run_can_start(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(
        "output: {format: xlsx}\nsteps: [{technique: pseudonymization.keyed_hash, column: n}]"
    )
    (tmp_path / "in.csv").write_text("n\nalice\n")
    arguments = [str(tmp_path / name) for name in ("r.yaml", "in.csv", "out.csv")]
    assert main(["run", *arguments, "--generate-key", str(tmp_path / "key")]) == 2
    assert not (tmp_path / "key").exists()


def test_answers_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x81")
    assert main(["advise", str(tmp_path / "a.yaml")]) == 2
    assert "UTF-8" in capsys.readouterr().err
