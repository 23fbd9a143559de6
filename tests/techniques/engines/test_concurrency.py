"""A run by several processes: the same bytes, the same errors, and nothing left behind by whoever is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.engines import local
from techniques.engines.concurrency import Work, done_apart, started
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.engines.parts import PART_BYTES
from techniques.recipe.recipe import Recipe
from techniques.tables.formats import FileFormat
from techniques.tables.rows import ahead
from tests.techniques.engines.conftest import RECIPE, ROWS, SECRETS, result_of

EVALUATED = partial(partial, eval)
"""Work whose keys are Python: what a process does needs nothing of a run."""


def done(
    make: Callable[[], Work], keys: list[str], tick: Callable[[float], None] = lambda share: None
) -> list[tuple[str, float]]:
    with started(make, 2) as links:
        return list(done_apart(links, keys, tick))


def test_several_processes_write_the_same_bytes(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PARTS_EACH", 3)
    path = tmp_path / "source.csv"
    path.write_bytes(content)
    # So many bytes that a part has as few rows as it may.
    source = Source(partial(path.open, "rb"), FileFormat(kind="csv"), ROWS, ROWS * PART_BYTES // 256)

    def make(folder: str) -> LocalRun:
        workspace = DirectoryWorkspace(tmp_path / folder)
        return LocalRun(Recipe.parse(RECIPE), source, workspace, SECRETS, "parquet", "shuffled")

    one, two = make("one"), make("two")
    assert source.parts == 6
    for key in [item.key for item in two.items()]:
        two.execute(key)
        if key == "transform:00001":
            break
    # What was done before is not repeated.
    two = make("two")
    report = two.execute_all(resume=True, processes=8)
    assert (two.processes, set(two.durations)) == (
        2, {"assemble", *(f"transform:{part:05}" for part in (2, 3, 4, 5))}
    )  # fmt: skip
    assert one.execute_all() == report
    assert one.processes == 1
    assert result_of(one) == result_of(two)
    assert not active_children()


def test_each_key_is_done_once_and_the_share_done_is_told() -> None:
    shares: list[float] = []
    keys = [f"{number} / 8" for number in range(8)]
    with started(EVALUATED, 2) as links:
        assert sorted(done_apart(links, keys, shares.append)) == [(key, eval(key)) for key in keys]
        # They wait for more, and for nothing.
        assert list(done_apart(links, ["1.5"], shares.append)) == [("1.5", 1.5)]
        assert list(done_apart(links, [], shares.append)) == []
    assert shares[:-1] == sorted(shares)[1:]
    assert (shares[0], shares[-1], max(shares) < 1) == (0, 0, True)
    assert not active_children()


def test_what_an_item_raises_is_raised_here() -> None:
    work = partial(getattr, Secrets(b"", 1), "require_purpose")
    with pytest.raises(EngineError) as found:
        done(work, ["study", "study"])
    assert (found.value.code, found.value.params) == ("purpose_key_missing", {"purpose": "study"})
    assert not active_children()


def test_what_the_system_says_is_said_here() -> None:
    keys = ["open('/nowhere/at/all')"]
    with pytest.raises(FileNotFoundError) as found:
        done(EVALUATED, keys)
    assert found.value.filename == "/nowhere/at/all"


def test_a_process_that_is_gone_is_said() -> None:
    keys = ["__import__('os').kill(__import__('os').getpid(), 9)"]
    with pytest.raises(EngineError) as found:
        done(EVALUATED, keys)
    assert found.value.code == "process_ended"
    assert not active_children()


def test_whoever_stops_leaves_no_process() -> None:
    def tick(share: float) -> None:
        if share:
            raise KeyboardInterrupt

    keys = ["0.0", "__import__('time').sleep(1000)", "__import__('time').sleep(1000)"]
    with pytest.raises(KeyboardInterrupt):
        done(EVALUATED, keys, tick)
    assert not active_children()


def test_what_is_made_ahead_keeps_its_order_and_its_error() -> None:
    def made() -> Iterator[Any]:
        yield from range(100)
        raise ValueError("at the end")

    found = ahead(made())
    assert [next(found) for _number in range(100)] == list(range(100))
    with pytest.raises(ValueError, match="at the end"):
        next(found)
    assert list(ahead(iter(()))) == []


def test_whoever_stops_listening_ends_the_thread() -> None:
    before = threading.active_count()
    made = ahead(iter(range(10**9)))  # type: ignore[arg-type]
    assert [next(made), next(made)] == [0, 1]
    made.close()
    assert threading.active_count() == before
