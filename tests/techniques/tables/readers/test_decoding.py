"""Pieces of any encoding as UTF-8, against Python's codec: every pair of GB18030, and any bytes cut anywhere."""

from __future__ import annotations

import codecs
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from techniques.tables.readers.decoding import utf8_decoder

ODD = st.sampled_from([b"\x81\x30\x81\x30", b"\x81", b"\x30", b"\x7f", b"\x80", b"\xff", b"\xfe\x40", b"a"])
WORDS = st.text(max_size=6).map(lambda text: text.encode("gb18030", "ignore"))


def decoded(decode: Callable[[bytes, bool], bytes], pieces: list[bytes]) -> list[object]:
    """The text of each piece, and where the fault lies that ends them: the good bytes of the last one."""
    found: list[object] = []
    try:
        for piece in pieces:
            found.append(decode(piece, False))
        found.append(decode(b"", True))
    except UnicodeDecodeError as fault:
        found.append((fault.object, fault.start))
    return found


def expected(codec: str, pieces: list[bytes]) -> list[object]:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    return decoded(lambda piece, final: decoder.decode(piece, final).encode(), pieces)


def test_every_pair_of_bytes() -> None:
    for first in range(256):
        for second in range(256):
            pieces = [bytes((first, second))]
            assert decoded(utf8_decoder("gb18030").decode, pieces) == expected("gb18030", pieces)


@given(st.lists(st.one_of(WORDS, ODD, st.binary(max_size=4)), max_size=12), st.data())
@example([], None)
def test_any_bytes_cut_anywhere(words: list[bytes], data: st.DataObject | None) -> None:
    text = b"".join(words)
    cut = data.draw(st.integers(0, len(text))) if data is not None else 0
    pieces = [text[:cut], text[cut:]]
    assert decoded(utf8_decoder("gb18030").decode, pieces) == expected("gb18030", pieces)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_other_encodings(codec: str) -> None:
    text = "编号,名\n1,𠀀é\n".encode(codec)
    pieces = [text[:5], text[5:-3], text[-3:]]
    assert decoded(utf8_decoder(codec).decode, pieces) == expected(codec, pieces)
    assert decoded(utf8_decoder(codec).decode, pieces[:2]) == expected(codec, pieces[:2])
