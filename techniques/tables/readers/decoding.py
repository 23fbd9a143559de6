"""Text of any encoding as UTF-8, piece by piece. Pairs of GB18030, nearly all of what is written in it, are looked up by a kernel:
Python's codec makes characters first, and these become bytes again."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled

_LEADS, _TRAILS = range(0x81, 0xFF), range(0x40, 0xFF)
_LONGEST = 3
"""Bytes of UTF-8 that a pair becomes at most."""


class Utf8Decoder(Protocol):
    """Strict: what is no text of the encoding is a ``UnicodeDecodeError``, whose object ends with the piece."""

    def decode(self, piece: bytes, final: bool) -> bytes:
        """The whole characters of a piece, as UTF-8; what is left of it comes before the next one."""


def utf8_decoder(codec: str) -> Utf8Decoder:
    """By the name of the codec that Python has."""
    return _Gb18030() if codec == "gb18030" else _Plain(codec)


class _Plain:
    def __init__(self, codec: str) -> None:
        self._decoder = codecs.getincrementaldecoder(codec)("strict")

    def decode(self, piece: bytes, final: bool) -> bytes:
        return self._decoder.decode(piece, final).encode()


class _Gb18030:
    def __init__(self) -> None:
        self._left = b""
        # Kept from piece to piece: memory that was never touched costs more than what is written to it.
        self._text = np.empty(0, np.uint8)

    def decode(self, piece: bytes, final: bool) -> bytes:
        piece = self._left + piece
        most = len(piece) * _LONGEST // 2 + _LONGEST
        if len(self._text) < most:
            self._text = np.empty(most, np.uint8)
        text = self._text
        done, size, regular = _looked_up(np.frombuffer(piece, np.uint8), text, *_pairs())
        if regular and (done == len(piece) or not final):
            self._left = piece[done:]
            return text[:size].tobytes()
        # Four bytes for a character, a fault, or half a pair at the end: rare, and Python's to judge.
        decoder = codecs.getincrementaldecoder("gb18030")("strict")
        decoded = decoder.decode(piece, final).encode()
        self._left = decoder.getstate()[0]
        return decoded


@lru_cache(maxsize=1)
def _pairs() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(the UTF-8 of each pair of bytes (n, 3), the length of it (n,)); 0 where the pair is no character."""
    texts = np.zeros((len(_LEADS) * len(_TRAILS), _LONGEST), np.uint8)
    lengths = np.zeros(len(texts), np.uint8)
    for number, pair in enumerate(bytes((lead, trail)) for lead in _LEADS for trail in _TRAILS):
        text = pair.decode("gb18030", "ignore").encode()
        if pair[1] != 0x7F and len(text) > 1:
            lengths[number] = len(text)
            texts[number, : len(text)] = np.frombuffer(text, np.uint8)
    return texts, lengths


@compiled
def _looked_up(data, text, pairs, lengths):
    """Write ASCII and pairs to ``text``: (bytes read, bytes written, whether nothing else was met). Half a pair at the end is left."""
    place = size = 0
    while place < len(data):
        lead = data[place]
        if lead < 0x80:
            text[size] = lead
            size += 1
            place += 1
            continue
        if place + 1 == len(data):
            break
        trail = data[place + 1]
        if lead == 0x80 or lead == 0xFF or trail < 0x40 or trail == 0xFF:
            return place, size, False
        pair = (lead - 0x81) * 191 + trail - 0x40
        length = lengths[pair]
        if length == 0:
            return place, size, False
        # Three bytes are written in any case: what is too many is written over by what follows.
        for number in range(_LONGEST):
            text[size + number] = pairs[pair, number]
        size += length
        place += 2
    return place, size, True
