"""Workspaces: nothing half-written is ever seen, and a write stream needs to do no more than write."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from techniques.engines.local import DirectoryWorkspace, LocalRun
from techniques.recipe.recipe import Recipe
from tests.techniques.engines.conftest import RECIPE, SECRETS, MakeRun, result_of, source_of


def write_half(workspace: DirectoryWorkspace) -> None:
    with workspace.open_write("a") as stream:
        stream.write(b"half")
        raise RuntimeError


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    workspace = DirectoryWorkspace(tmp_path / "w")
    with pytest.raises(RuntimeError):
        write_half(workspace)
    assert list((tmp_path / "w").iterdir()) == []
    with workspace.open_write("a") as stream:
        stream.write(b"not seen before the end")
        assert not workspace.exists("a")
    with workspace.open_write("a") as stream:
        stream.write(b"whole")
    with pytest.raises(RuntimeError):
        write_half(workspace)
    with workspace.open_read("a") as stream:
        assert stream.read() == b"whole"
    workspace.delete("a")
    workspace.delete("a")
    assert not workspace.exists("a")
    with pytest.raises(FileNotFoundError):
        workspace.open_read("a")
    assert (tmp_path / "w").stat().st_mode & 0o077 == 0


class WriteOnly:
    """What an encrypting stream can do: take bytes, one after the other."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> int:
        self.blocks.append(bytes(data))
        return len(self.blocks[-1])

    def flush(self) -> None:
        pass


class MemoryWorkspace:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def open_read(self, name: str) -> BinaryIO:
        if name not in self.files:
            raise FileNotFoundError(name)
        return io.BytesIO(self.files[name])

    @contextmanager
    def open_write(self, name: str) -> Iterator[BinaryIO]:
        stream = WriteOnly()
        yield cast(BinaryIO, stream)
        self.files[name] = b"".join(stream.blocks)

    def exists(self, name: str) -> bool:
        return name in self.files

    def delete(self, name: str) -> None:
        self.files.pop(name, None)


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
def test_any_workspace_will_do(make_run: MakeRun, content: bytes, kind: Any) -> None:
    recipe = Recipe.parse(RECIPE)
    memory = LocalRun(recipe, source_of(content), MemoryWorkspace(), SECRETS, kind)
    report = memory.execute_all()
    folder = LocalRun(recipe, source_of(content), make_run().workspace, SECRETS, kind)
    assert folder.execute_all() == report
    assert result_of(memory) == result_of(folder)
