"""What a fresh checkout need not make anew, kept beyond it by what it was made of: ``python scripts/kept.py fetch | keep``.

* The machine code of inner loops, under the hash of the engine's source and of what compiles it. Numba looks at a function's own
  file alone; here one changed file of the engine is enough, and all of it is compiled anew.
* What mypy knows, under the hash of its settings. It compares the content of each file itself.

They lie in ``$XDG_CACHE_HOME/deid-portal``, or in ``~/.cache``. ``fetch`` leaves alone what a checkout has already. Inner loops are
kept of a checkout that had none when it fetched, and whose engine is still the same: so none of them was compiled from another
source. What nobody asked for in a month goes.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deid-portal"
ENGINE, TYPES = ROOT / "techniques", ROOT / ".mypy_cache"
# In a checkout: of which source all its inner loops are.
FRESH = ENGINE / "__pycache__" / "loops-of"
MONTH = 30 * 86_400


def name_of(files: Iterable[Path]) -> str:
    """Tells apart what was made of these files, on this Python."""
    state = hashlib.sha256(f"{sys.version} {platform.machine()}".encode())
    for path in files:
        state.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return state.hexdigest()


def loops_place() -> Path:
    """Where inner loops of this source lie."""
    return KEPT / "loops" / name_of([ROOT / "requirements.lock", *sorted(ENGINE.rglob("*.py"))])


def types_place() -> Path:
    """Where mypy's knowledge under these settings lies."""
    settings = ("requirements.lock", "pyproject.toml", "scripts/mypy_signed_in.py")
    return KEPT / "types" / name_of(ROOT / name for name in settings)


def loops() -> list[Path]:
    """What the checkout has compiled."""
    return sorted(ENGINE.rglob("__pycache__/*.nb[ic]"))


def fetch() -> None:
    place = loops_place()
    if not loops():
        if place.is_dir():
            place.touch()
            shutil.copytree(place, ENGINE, dirs_exist_ok=True)
        FRESH.parent.mkdir(exist_ok=True)
        FRESH.write_text(place.name)
    place = types_place()
    if place.is_dir() and not TYPES.exists():
        place.touch()
        shutil.copytree(place, TYPES)


def keep() -> None:
    place, compiled = loops_place(), loops()
    is_fresh = FRESH.is_file() and FRESH.read_text() == place.name
    if is_fresh and len(compiled) > sum(path.is_file() for path in place.rglob("*")):
        with Laid(place) as new:
            for path in compiled:
                to = new / path.relative_to(ENGINE)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, to)
    if TYPES.is_dir():
        with Laid(types_place()) as new:
            shutil.copytree(TYPES, new, dirs_exist_ok=True)
    for old in KEPT.glob("*/*"):
        if old.stat().st_mtime < time.time() - MONTH:
            shutil.rmtree(old, ignore_errors=True)


class Laid:
    """A folder that takes its place whole, and takes that of an older one."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __enter__(self) -> Path:
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.new = Path(tempfile.mkdtemp(dir=self.place.parent, prefix="new-"))
        return self.new

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        if kind is None:
            shutil.rmtree(self.place, ignore_errors=True)
            # Another run may have laid its own there meanwhile, which is as good.
            with suppress(OSError):
                self.new.rename(self.place)
        shutil.rmtree(self.new, ignore_errors=True)


if __name__ == "__main__":
    {"fetch": fetch, "keep": keep}[sys.argv[1]]()
