"""What is kept beyond a checkout comes back to a checkout of the same source alone, and never from another one's."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import kept

LOOP = "values/__pycache__/kernels.count-1.py311.nbi"


class Checkout:
    """A fresh checkout with one module of the engine, and the script in it."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, source: str = "a = 1\n") -> None:
        self.root, self.patch, self.engine = root, patch, root / "techniques"
        (self.engine / "values").mkdir(parents=True)
        (self.engine / "values" / "kernels.py").write_text(source)
        for name in ("requirements.lock", "pyproject.toml", "scripts/mypy_signed_in.py"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("")

    def do(self, *verbs: str) -> None:
        places = {"ROOT": self.root, "ENGINE": self.engine, "TYPES": self.root / ".mypy_cache"}
        for name, place in places.items():
            self.patch.setattr(kept, name, place)
        self.patch.setattr(kept, "FRESH", self.engine / "__pycache__" / "loops-of")
        for verb in verbs:
            getattr(kept, verb)()

    def compile(self, code: str) -> None:
        (self.engine / LOOP).parent.mkdir(exist_ok=True)
        (self.engine / LOOP).write_text(code)

    @property
    def loop(self) -> str:
        place = self.engine / LOOP
        return place.read_text() if place.exists() else ""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "KEPT", tmp_path / "kept")
    return lambda name, **more: Checkout(tmp_path / name, monkeypatch, **more)


def test_the_same_source_elsewhere_finds_what_was_made(checkout):
    first, second = checkout("first"), checkout("second")
    first.do("fetch")
    first.compile("code")
    (first.root / ".mypy_cache").mkdir()
    (first.root / ".mypy_cache" / "known").write_text("types")
    first.do("keep")
    second.do("fetch")
    assert second.loop == "code"
    assert (second.root / ".mypy_cache" / "known").read_text() == "types"


def test_another_source_finds_no_inner_loops(checkout):
    first, other = checkout("first"), checkout("other", source="a = 2\n")
    first.do("fetch")
    first.compile("code")
    first.do("keep")
    other.do("fetch")
    assert other.loop == ""


def test_what_may_be_of_an_older_source_is_not_kept(checkout):
    """Numba looks at a function's own file alone: what was compiled before a change elsewhere would be taken for that of today."""
    before, changed, second = checkout("before"), checkout("changed"), checkout("second")
    before.compile("old code")
    before.do("fetch", "keep")
    changed.do("fetch")
    changed.compile("old code")
    (changed.engine / "values" / "kernels.py").write_text("a = 3\n")
    changed.do("keep")
    for one in (second, checkout("third", source="a = 3\n")):
        one.do("fetch")
        assert one.loop == ""


def test_more_of_the_same_source_is_kept_and_what_a_checkout_has_stays(checkout):
    first, second, third = checkout("first"), checkout("second"), checkout("third")
    first.do("fetch")
    first.compile("code")
    first.do("keep")
    second.do("fetch")
    (second.engine / LOOP).with_name("kernels.other-9.py311.nbi").write_text("more")
    second.do("keep")
    third.do("fetch")
    assert third.loop == "code"
    assert (third.engine / LOOP).with_name("kernels.other-9.py311.nbi").read_text() == "more"
    third.compile("own")
    third.do("fetch")
    assert third.loop == "own"
