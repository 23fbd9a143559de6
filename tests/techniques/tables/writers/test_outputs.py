"""Files that a command writes: none that it reads, none twice, and whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from techniques.core.messages import EngineError
from techniques.tables.writers.outputs import Outputs


def refused(code: str, outputs: list[Path], inputs: list[Path]) -> None:
    with pytest.raises(EngineError) as error:
        Outputs(outputs, inputs)
    assert error.value.code == code


def test_one_file_under_two_names_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("a")
    (tmp_path / "soft").symlink_to("in.csv")
    os.link("in.csv", "hard")
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in ("in.csv", "./in.csv", "soft", "hard", "folder/in.csv", str(tmp_path / "in.csv")):
        refused("output_is_input", [Path(name)], [Path("in.csv")])
    refused("output_twice", [Path("new"), Path("folder/new")], [])
    refused("output_is_folder", [Path("folder")], [])
    refused("output_folder_missing", [Path("nowhere/new")], [])
    files = Outputs([Path("out")], [])
    with pytest.raises(EngineError, match="is read"):
        files.reads(Path("folder/out"))
    assert (tmp_path / "in.csv").read_text() == "a"


def test_all_or_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "made" / "two"
    one.write_text("old")

    def write(fail: bool) -> None:
        with Outputs([one, two], folders={two.parent: 0o700}) as files:
            files.text(one, "new")
            with files.open(two, 0o600) as stream:
                stream.write(b"2")
            assert one.read_text() == "old"
            if fail:
                raise EngineError("x", "x")

    with pytest.raises(EngineError):
        write(fail=True)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert one.read_text() == "old"
    write(fail=False)
    assert (one.read_text(), two.read_bytes()) == ("new", b"2")
    assert (two.stat().st_mode & 0o777, two.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "one"]


def test_a_link_and_a_device_stay_what_they_are(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    with Outputs([link, Path("/dev/null"), Path("/dev/null")]) as files:
        files.text(link, "x")
        files.text(Path("/dev/null"), "y")
    assert link.is_symlink()
    assert real.read_text() == "x"
    assert Path("/dev/null").is_char_device()
