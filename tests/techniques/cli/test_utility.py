"""``deid utility``: what it refuses, and what it says of labels that nobody can read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from techniques.cli.main import main


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    values = ["p", "q", "r", "s"] * 10
    Path("old.csv").write_text("a,b,only\n" + "".join(f"{v},{n % 5},1\n" for n, v in enumerate(values)))
    Path("new.csv").write_text(
        "a,b,more\n" + "".join(f"{'X' if v in 'pq' else 'Y'},{n % 5},1\n" for n, v in enumerate(values))
    )
    Path("h").mkdir()
    Path("h/t_hierarchy_a.csv").write_text("p;X;*\nq;X;*\nr;Y;*\ns;Y;*\n")
    return ["utility", "old.csv", "new.csv"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--qi", "a,b", "--target", "zz"], "“zz” is not in both"),
        (["--qi", "more"], "“more” is not in both"),
        (["--qi", "only"], "“only” is not in both"),
        (["--qi", "a,a"], "named twice"),
        (["--target", "a"], "--target needs --qi"),
        (["--hierarchies", "nowhere"], "no folder"),
        (["--hierarchies", "."], "no hierarchy file for any column"),
        (["--targets", "t.json"], "t.json[1]: kind must be one of"),
        (["--targets", "deep.json"], "deep.json: the file is not JSON"),
    ],
)
def test_refused_in_plain_words(
    files: list[str], capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    Path("t.json").write_text('[{"kind": "rows_retained", "bound": 1}, {"kind": "none", "bound": 1}]')
    Path("deep.json").write_text("[" * 100_000)
    assert main([*files, *arguments]) == 2
    assert says in capsys.readouterr().err


def test_labels_that_cannot_be_read_are_told(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--qi", "a,b"]) == 0
    printed = capsys.readouterr().out
    assert (
        "a: distance 1.0000, suppressed 0.0000; 40 cells have labels that could not be interpreted" in printed
    )
    assert "b: distance 0.0000, moved by 0.0000 of the range" in printed
    assert "a: NCP 1.0000" in printed
    assert main([*files, "--qi", "a,b", "--hierarchies", "h", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    columns = {one["column"]: one for one in found["columns"]}
    assert (columns["a"]["total_variation"], columns["a"]["unresolved"]) == (0.0, 0)
    assert found["loss"]["columns"]["a"] == {
        "ncp": 0.5, "granularity": pytest.approx(2 / 3), "precision": 0.5, "unresolved": 0,
    }  # fmt: skip
    assert found["loss"]["precision"] is None  # b has no hierarchy


def test_a_missed_target_says_why(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.json").write_text('[{"kind": "mean_change", "column": "zz", "bound": 0.1}]')
    assert main([*files, "--targets", "t.json"]) == 1
    assert "measured -, bound 0.1 (Column “zz” is not in both" in capsys.readouterr().out


def test_what_a_spreadsheet_would_run_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results such as + and - stand in the output with an apostrophe, which is no part of them."""
    monkeypatch.chdir(tmp_path)
    Path("old.csv").write_text("lab,@sex\n" + "+,m\n-,f\n0,m\n" * 4 + "'=5,m\n" * 4)
    Path("h").mkdir()
    Path("h/lab.csv").write_text("+;told;*\n-;told;*\n0;told;*\n'=5;told;*\n")
    Path("h/@sex.csv").write_text("m;*\nf;*\n")
    options = ["--qi", "lab,@sex", "--hierarchies", "h"]
    for level in ("1", "0"):
        bound = ["--minimum-levels", f"lab={level}", "--report", "r.json"]
        assert main(["anonymize", "old.csv", "new.csv", "--k", "4", "--order", "kept", *options, *bound]) == 0
        assert "'@sex" in Path("new.csv").read_text()
        capsys.readouterr()
        assert main(["utility", "old.csv", "new.csv", *options, "--json"]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert figures["loss"]["granularity"] == json.loads(Path("r.json").read_text())["granularity"]
    assert [one["total_variation"] for one in figures["columns"]] == [0.0, 0.0]
    assert figures["whole"]["cells_kept"] == {"lab": 1.0, "@sex": 1.0}
    # Other commands find the column by its own name, and the hierarchy its values.
    assert (
        main(["risk", "new.csv", "--qi", "@sex", "--sensitive", "lab", "--hierarchies", "h", "--json"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["sensitive"]["lab"]["t_hierarchical"] == 0.375
    assert main(["risk", "new.csv", "--qi", "lab,@sex", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["k"] == 4
