"""What ``deid`` prints and writes for the committed files, word for word, and its exit code."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from techniques.cli.main import main

from .keeping import HERE, compare, without

SECONDS = re.compile(r"\b[0-9][0-9.e-]* s\b")
SECRETS = ["--key-file", "key", "--seed-file", "seed"]
RUN = ["run", "recipe.yaml", "patients.csv", "result.csv", "--order", "kept", *SECRETS]
ANONYMIZE = [
    "anonymize",
    "original.csv",
    "result.csv",
    "--accept-findings",
    "住址,收入",
    "--order",
    "kept",
    "--qi",
    "性别,年龄,学历",
    "--hierarchies",
    "hierarchies",
]
QI = ["--qi", "性别,年龄,学历"]
COMMANDS: dict[str, list[str]] = {
    "risk": ["risk", "released.csv", *QI],
    "risk_json": ["risk", "released.csv", *QI, "--json", "--sensitive", "诊断,收入", "--ordered", "收入", "--subsets"],
    "risk_population": ["risk", "released.csv", *QI, "--population", "population.csv", "--per-record", "each.csv"],
    "risk_sample": ["risk", "released.csv", *QI, "--sampling-fraction", "0.2", "--suppressed", "left-out", "--cap", "0.2"],
    "risk_unknown_column": ["risk", "released.csv", "--qi", "性别,籍贯"],
    "preflight": ["preflight", "original.csv", *QI, "--hierarchies", "hierarchies"],
    "preflight_json": ["preflight", "original.csv", *QI, "--hierarchies", "hierarchies", "--k", "2,5", "--sa", "诊断", "--l", "2", "--json"],
    "anonymize": [*ANONYMIZE, "--k", "5", "--suppression-limit", "0.1", "--report", "report.json"],
    "anonymize_local": [*ANONYMIZE, "--k", "4", "--local", "--sa", "诊断", "--l", "2"],
    "anonymize_close": [*ANONYMIZE, "--k", "3", "--sa", "诊断", "--t", "0.5", "--suppression-limit", "0.2"],
    "anonymize_estimate": [*ANONYMIZE, "--k", "5", "--estimate"],
    "anonymize_refused": [*ANONYMIZE, "--k", "0"],
    "utility": ["utility", "original.csv", "released.csv", "--qi", "性别,年龄,学历"],
    "utility_json": ["utility", "original.csv", "released.csv", *QI, "--target", "诊断", "--hierarchies", "hierarchies", "--json"],
    "utility_targets": ["utility", "original.csv", "released.csv", "--targets", "targets.json"],
    "evaluate": ["evaluate", "released.csv", *QI],
    "evaluate_json": ["evaluate", "released.csv", *QI, "--sharing", "public", "--capability", "low", "--motive", "high", "--json"],
    "advise_questions": ["advise"],
    "advise": ["advise", "answers.yaml", "--all"],
    "advise_json": ["advise", "answers.yaml", "--json"],
    "run": [*RUN, "--report", "report.json", "--mapping", "mappings"],
    "run_invalid": ["run", "invalid.yaml", "patients.csv", "result.csv", *SECRETS],
    "techniques": ["techniques"],
    "techniques_json": ["techniques", "--json"],
    "presets": ["presets"],
    "presets_json": ["presets", "--json"],
    "reproduce": ["reproduce", "tisc-d"],
    "reproduce_json": ["reproduce", "tisc-d", "--json"],
    "reproduce_pay": ["reproduce", "gbt-a36"],
    "reproduce_pay_json": ["reproduce", "gbt-a36", "--json"],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the committed files; key and seed are no secrets."""
    for name in ("DEID_KEY", "DEID_SEED", "DEID_NATIONAL_CRYPTOGRAPHY"):
        monkeypatch.delenv(name, raising=False)
    shutil.copytree(HERE / "files", tmp_path, dirs_exist_ok=True)
    (tmp_path / "key").write_text("0123456789abcdef" * 4)
    (tmp_path / "seed").write_text("the same draws each time")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Exit code, what was printed, and the files that were written, each as text or JSON."""
    before = {path for path in Path().rglob("*") if path.is_file()}
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse refuses
        code = int(stop.code or 0)
    said = capsys.readouterr()
    made = {path for path in Path().rglob("*") if path.is_file()} - before
    files = {str(path): content(path) for path in sorted(made)}
    return {"exit": code, "stdout": text(said.out), "stderr": text(said.err), "files": files}


def text(printed: str) -> Any:
    """JSON where the text is JSON, else its lines."""
    try:
        value = json.loads(printed)
    except ValueError:
        return [SECONDS.sub("… s", line) for line in printed.splitlines()]
    # Left out: durations, versions of libraries, and clauses, which were changed on purpose from numbers of a
    # checklist to the standard's own.
    return without(value, "seconds", "search_seconds", "versions", "clause", "clauses")


def content(path: Path) -> Any:
    raw = path.read_bytes()
    if path.suffix == ".json":
        return text(raw.decode())
    lines = raw.decode("utf-8-sig").splitlines() if path.suffix == ".csv" else []
    return {"sha256": hashlib.sha256(raw).hexdigest(), "head": lines[:6]}


@pytest.mark.parametrize("name", COMMANDS)
def test_says_the_same(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    compare(f"commands/{name}.json", done(COMMANDS[name], capsys))


def test_reverse_says_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    arguments = ["reverse", "recipe.yaml", "result.csv", "姓名", "back.csv", *SECRETS]
    compare("commands/reverse.json", done(arguments, capsys))
