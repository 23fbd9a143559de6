"""gzip and Zstandard: there and back, and what is damaged, cut or a bomb."""

from __future__ import annotations

import gzip
import io
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.tables import limits
from techniques.tables.sources.forms import Packing, packing_of
from techniques.tables.sources.packing import packed, unpack

PACKINGS: tuple[Packing, ...] = ("gzip", "zstd")


def _packed(content: bytes, packing: Packing) -> bytes:
    target = io.BytesIO()
    with packed(target, packing) as stream:
        stream.write(content)
    return target.getvalue()


def _unpacked(content: bytes, packing: Packing) -> bytes:
    target = io.BytesIO()
    unpack(io.BytesIO(content), packing, target, len(content))
    return target.getvalue()


@pytest.mark.parametrize("packing", PACKINGS)
@settings(max_examples=30, deadline=None)
@given(content=st.binary(max_size=300), times=st.sampled_from([1, 9_000]))
def test_there_and_back(packing: Packing, content: bytes, times: int) -> None:
    there = _packed(content * times, packing)
    assert packing_of(io.BytesIO(there)) == packing
    assert _unpacked(there, packing) == content * times


@pytest.mark.parametrize("packing", PACKINGS)
def test_the_same_content_gives_the_same_bytes(packing: Packing) -> None:
    assert _packed(b"a,b\n" * 99, packing) == _packed(b"a,b\n" * 99, packing)


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("cut", [1, 4, 30])
def test_a_file_that_ends_early_is_refused(packing: Packing, cut: int) -> None:
    whole = _packed(bytes(range(256)) * 50, packing)
    with pytest.raises(EngineError) as caught:
        _unpacked(whole[:-cut], packing)
    assert caught.value.code == "table.packed.broken"


def test_files_put_together_are_read_as_gunzip_and_zstd_do() -> None:
    assert _unpacked(gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n"), "gzip") == b"a,b\n1,2\n"
    assert _unpacked(_packed(b"a,b\n", "zstd") + _packed(b"1,2\n", "zstd"), "zstd") == b"a,b\n1,2\n"


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bomb_is_stopped_where_the_limit_is(packing: Packing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED_RATIO_FROM", 4 * limits.MIB)
    target = io.BytesIO()
    bomb = _packed(bytes(64 * limits.MIB), packing)
    with pytest.raises(EngineError) as caught:
        unpack(io.BytesIO(bomb), packing, target, len(bomb))
    assert caught.value.code == "table.packed.bomb"
    assert target.tell() <= max(4 * limits.MIB, len(bomb) * limits.MAX_UNPACKED_RATIO)


@pytest.mark.parametrize(("packing", "program"), [("gzip", "gzip"), ("zstd", "zstd")])
def test_the_programs_of_that_name_read_it(packing: Packing, program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([program, "-dc"], input=_packed(b"a,b\n", packing), capture_output=True, check=True)
    assert done.stdout == b"a,b\n"
