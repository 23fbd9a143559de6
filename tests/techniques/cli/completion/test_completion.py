"""Completion as the shells do it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from techniques.cli import main as cli


def _script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "wanted", "unwanted"),
    [
        (["deid", ""], {"run", "anonymize", "diff", "--version"}, {"--report"}),
        (["deid", "re"], {"reverse", "reproduce"}, {"run"}),
        (["deid", "run", "--re"], {"--report"}, {"--risk", "reverse"}),
        (["deid", "run", "--order", ""], {"shuffled", "kept"}, {"--order", "visits.csv"}),
        (["deid", "run", "--report", "vi"], {"visits.csv"}, {"--report"}),
        (["deid", "levels", ""], {"count", "join"}, set()),
        (["deid", "levels", "join", "--de"], {"--default"}, {"--delimiter "}),
        (["deid", "risk", "vi"], {"visits.csv"}, {"risk"}),
    ],
)
def test_bash_completes(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    line: list[str],
    wanted: set[str],
    unwanted: set[str],
) -> None:
    (tmp_path / "visits.csv").write_text("a\n")
    words, text = " ".join(f"'{word}'" for word in line), " ".join(line)
    asked = (
        f"COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; COMP_LINE='{text}'; COMP_POINT={len(text)}; COMP_TYPE=9\n"
        "_name=$(complete -p deid | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
        '$_name deid "${COMP_WORDS[COMP_CWORD]}"; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", f"{_script(capsys, 'bash')}\n{asked}"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}, check=True,
    )  # fmt: skip
    assert not done.stderr
    found = {word.strip() for word in done.stdout.splitlines()}
    assert wanted <= found
    assert not unwanted & found


def test_quiet_is_taken_by_what_does_something_and_kept_where_it_means_more() -> None:
    parser = cli.command_parser()
    assert parser.parse_args(["risk", "a.csv", "--qi", "a", "--quiet"]).silent
    assert not hasattr(parser.parse_args(["risk", "a.csv", "--qi", "a"]), "silent")
    assert parser.parse_args(["check", "a.csv", "--policy", "p.yaml", "--quiet"]).quiet
    with pytest.raises(SystemExit):
        parser.parse_args(["techniques", "--quiet"])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_itself_takes_the_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(_script(capsys, shell))
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
