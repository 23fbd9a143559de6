"""``deid add``, ``combine`` and ``reverse``: sums without the key, numbers from shares, and only with the run's secrets."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from techniques.cli.main import main

TABLE = "ward,pay,fee\nA,10,10\nB,20,20\nA,30,5\nB,,7\n"
SEALED = "unlisted: keep\nsteps:\n" + "".join(
    f"  - {{technique: encryption.homomorphic, column: {name}, parameters: {{domain: money, joinable: project}}}}\n"
    for name in ("pay", "fee")
)
SHARED = """unlisted: keep
steps:
  - {{technique: encryption.secret_sharing, column: pay, parameters: {{holder: {holder}, domain: money}}}}
  - {{technique: encryption.secret_sharing, column: fee, parameters: {{holder: {holder}, domain: money}}}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEID_KEY", raising=False)
    Path("in.csv").write_text(TABLE, encoding="utf-8")
    Path("key").write_text("k" * 32)
    Path("other").write_text("o" * 32)
    Path("seed").write_text("seed")
    return tmp_path


def rows_of(name: str) -> list[dict[str, str]]:
    with Path(name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def run(recipe: str, result: str, report: str = "report.json") -> None:
    Path("recipe.yaml").write_text(recipe)
    secrets = ["--key-file", "key", "--seed-file", "seed"]
    assert main(["run", "recipe.yaml", "in.csv", result, "--report", report, *secrets]) == 0


def test_sums_of_ciphertexts_come_back_with_the_key_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(SEALED, "sealed.csv")
    assert rows_of("sealed.csv")[0]["pay"] != rows_of("sealed.csv")[0]["fee"], (
        "equal numbers of a row do not show"
    )
    assert main(["add", "sealed.csv", "pay", "sums.csv", "--by", "ward", "--report", "report.json"]) == 0
    assert [(row["ward"], row["rows"]) for row in rows_of("sums.csv")] == [("A", "2"), ("B", "1")]
    back = [
        "reverse",
        "recipe.yaml",
        "sums.csv",
        "pay",
        "back.csv",
        "--report",
        "report.json",
        "--seed-file",
        "seed",
    ]
    assert main([*back, "--key-file", "key"]) == 0
    assert [row["pay"] for row in rows_of("back.csv")] == ["40", "20"]
    capsys.readouterr()
    assert main([*back, "--key-file", "other"]) == 2
    assert "not the key of the run" in capsys.readouterr().err
    unchecked = [*back[:5], "--seed-file", "seed", "--key-file", "other"]
    assert main(unchecked) == 2, "a number as long as the key is no sum of a table"
    assert "was not checked" in capsys.readouterr().err


def test_sums_of_shares_are_combined(folder: Path) -> None:
    for holder in (1, 2, 3):
        run(SHARED.format(holder=holder), f"{holder}.csv")
        assert rows_of(f"{holder}.csv")[0]["pay"] != rows_of(f"{holder}.csv")[0]["fee"]
        assert main(["add", f"{holder}.csv", "fee", f"sum{holder}.csv", "--shares"]) == 0
    assert main(["combine", "recipe.yaml", "fee", "fee.csv", "1=sum1.csv", "3=sum3.csv"]) == 0
    assert [row["fee"] for row in rows_of("fee.csv")] == ["42"]
    assert main(["combine", "recipe.yaml", "pay", "pay.csv", "2=2.csv", "3=3.csv"]) == 0
    assert sorted(row["pay"] for row in rows_of("pay.csv")) == ["", "10", "20", "30"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["add", "in.csv", "fee", "out.csv", "--public-key", "abc", "--by", "none"], "none"),
        (["add", "in.csv", "ward", "out.csv", "--shares"], "neither a ciphertext nor a share"),
        (["add", "in.csv", "fee", "out.csv", "--report", "report.json"], "names no step"),
        (["combine", "recipe.yaml", "fee", "out.csv", "in.csv"], "not HOLDER=FILE"),
        (["combine", "recipe.yaml", "fee", "out.csv", "1=in.csv"], "2 holders"),
        (
            ["combine", "recipe.yaml", "fee", "out.csv", "1=in.csv", "2=short.csv"],
            "different numbers of rows",
        ),
    ],
)
def test_what_cannot_be_added_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    Path("recipe.yaml").write_text(SHARED.format(holder=1))
    Path("report.json").write_text(json.dumps({"steps": []}))
    Path("short.csv").write_text("ward,pay,fee\nA,1,2\n")
    assert main(arguments) == 2
    assert reason in capsys.readouterr().err
    assert not Path("out.csv").exists()
