"""Which character encoding a file's bytes are in, judged from samples."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from techniques.core.messages import _
from techniques.tables.formats import BOMS, Encoding, Evidence
from techniques.tables.limits import KIB, MIB
from techniques.tables.problems import ENCODING_NAMES, problem

Tick = Callable[[float], None]
SAMPLE_BYTES = 256 * KIB
ASCII_SEARCH_BYTES = 256 * MIB
"""When all samples are ASCII, this much is searched for the first byte that is not."""

_BY_MARK = _("A byte order mark says %(encoding)s.")
_BY_PATTERN = _("The bytes form %(encoding)s text without a byte order mark.")
_ASCII = _("All bytes looked at are ASCII, which every encoding but UTF-16 shares.")
_VALID = _("All text looked at is valid %(encoding)s, with %(count)s characters beyond ASCII.")
_FEW = _("The few characters beyond ASCII fit UTF-8 and GB18030 alike; please look at the preview.")
_RARE = _("Many characters would be very rare in %(encoding)s; please look at the preview.")
_MIXED = _("Some lines are in %(encoding)s and others in %(other)s; the check will name the line.")
_BROKEN = _("Some bytes are not valid %(encoding)s; the check will name the line.")


@dataclass(frozen=True)
class EncodingGuess:
    """The judged encoding, whether a mark stands first, how sure (0 … 1), and why."""

    encoding: Encoding
    bom: bool
    confidence: float
    evidence: tuple[Evidence, ...]


def _guess(
    encoding: Encoding, confidence: float, code: str, message: str, *, bom: bool = False, **params: str | int
) -> EncodingGuess:
    """A guess for one reason, in whose text its encoding may stand."""
    if "%(encoding)s" in message:
        params = {"encoding": ENCODING_NAMES[encoding], **params}
    return EncodingGuess(encoding, bom, confidence, (Evidence.of(code, message, **params),))


def guess_encoding(stream: BinaryIO, size: int, tick: Tick = lambda share: None) -> EncodingGuess:
    """Judge samples at the head, in the middle and at the tail. Raises ``EngineError`` when none fits.

    ``tick`` gets the share of the long way through a file whose samples are all ASCII.
    """
    stream.seek(0)
    head = stream.read(4)
    marked: tuple[Encoding, ...] = ("utf-8", "utf-16-le", "utf-16-be", "gb18030")
    for encoding in marked:
        if head.startswith(BOMS[encoding]):
            return _guess(encoding, 1.0, "encoding.bom", _BY_MARK, bom=True)
    samples = [_read(stream, start, length) for start, length in _windows(size)]
    if b"\x00" in samples[0]:
        wide = _guess_utf16(samples[0])
        if wide is not None:
            return _guess(wide, 0.9, "encoding.pattern", _BY_PATTERN)
    lines = [line for number, sample in enumerate(samples) for line in _whole_lines(sample, number, samples)]
    if all(line.isascii() for line in lines):
        found = _first_beyond_ascii(stream, size, tick)
        if found is None:
            return _guess("utf-8", 0.95, "encoding.ascii", _ASCII)
        lines = _whole_lines(found, 1, [b"", b"", b""])
    return _guess_by_lines([line for line in lines if not line.isascii()])


def _windows(size: int) -> list[tuple[int, int]]:
    if size <= 4 * SAMPLE_BYTES:
        return [(0, size)]
    middle = size // 2 & ~1  # even, for code units of two bytes
    return [(0, SAMPLE_BYTES), (middle, SAMPLE_BYTES), (size - SAMPLE_BYTES, SAMPLE_BYTES)]


def _read(stream: BinaryIO, start: int, length: int) -> bytes:
    stream.seek(start)
    return stream.read(length)


def _whole_lines(sample: bytes, number: int, samples: list[bytes]) -> list[bytes]:
    """Cut a sample at its line ends and drop the lines that its edges cut in two."""
    lines = sample.replace(b"\r", b"\n").split(b"\n")
    first = 1 if number > 0 else 0
    last = len(lines) if number == len(samples) - 1 else len(lines) - 1
    return (
        [line for line in lines[first:last] if line] if len(lines) > 1 else ([sample] if number == 0 else [])
    )


def _first_beyond_ascii(stream: BinaryIO, size: int, tick: Tick) -> bytes | None:
    """Return a sample around the first byte beyond ASCII, None when there is none in reach."""
    if size <= 4 * SAMPLE_BYTES:
        return None
    stream.seek(0, io.SEEK_SET)
    position = 0
    while position < min(size, ASCII_SEARCH_BYTES):
        piece = stream.read(MIB)
        if not piece:
            return None
        if not piece.isascii():
            offset = len(piece) - len(piece.lstrip(bytes(range(128))))
            return _read(stream, max(0, position + offset - SAMPLE_BYTES // 2), SAMPLE_BYTES)
        position += len(piece)
        tick(position / min(size, ASCII_SEARCH_BYTES))
    return None


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _guess_by_lines(lines: list[bytes]) -> EncodingGuess:
    text = b"\n".join(lines)
    if _decodes(text, "utf-8"):
        return _utf8(text)
    as_utf8 = [line for line in lines if _decodes(line, "utf-8") and _chinese(line.decode()) >= 2]
    rest = [line for line in lines if not _decodes(line, "utf-8")]
    as_gb = [line for line in rest if _decodes(line, "gb18030")]
    strange = sum(_strange(line.decode("gb18030")) for line in as_gb)
    beyond = sum(not character.isascii() for line in as_gb for character in line.decode("gb18030"))
    plausible = bool(as_gb) and strange <= 0.3 * beyond
    if as_utf8 and (len(as_utf8) > len(as_gb) or not plausible):
        if plausible:
            return _guess("utf-8", 0.3, "encoding.mixed", _MIXED, other=ENCODING_NAMES["gb18030"])
        return _guess("utf-8", 0.3, "encoding.broken", _BROKEN)
    if not as_gb or len(as_gb) < 0.5 * len(rest):
        raise problem("table.encoding.unknown", line=1 + _line_of(lines, rest))
    if as_utf8:
        return _guess("gb18030", 0.3, "encoding.mixed", _MIXED, other=ENCODING_NAMES["utf-8"])
    if len(as_gb) < len(rest):
        return _guess("gb18030", 0.4, "encoding.broken", _BROKEN)
    if not plausible:
        return _guess("gb18030", 0.5, "encoding.rare", _RARE)
    return _guess("gb18030", 0.95, "encoding.valid", _VALID, count=beyond)


def _utf8(text: bytes) -> EncodingGuess:
    characters = [character for character in text.decode() if not character.isascii()]
    if len(characters) < 8 and not _chinese("".join(characters)) and _decodes(text, "gb18030"):
        # A few accented letters in UTF-8, or as many Chinese characters in GB18030.
        spelled = [c for c in text.decode("gb18030") if not c.isascii()]
        chinese = len(spelled) > 0 and _chinese("".join(spelled)) == len(spelled)
        encoding: Encoding = "gb18030" if chinese and not _strange("".join(spelled)) else "utf-8"
        return _guess(encoding, 0.5, "encoding.few", _FEW)
    return _guess("utf-8", 0.99, "encoding.valid", _VALID, count=len(characters))


def _line_of(lines: list[bytes], rest: list[bytes]) -> int:
    return lines.index(rest[0]) if rest else 0


def _chinese(text: str) -> int:
    return sum("\u3400" <= c <= "\u9fff" or "\U00020000" <= c <= "\U0003ffff" for c in text)


def _strange(text: str) -> int:
    """Count characters outside GB 2312: rare in real text, common in text read wrongly."""
    return sum(not c.isascii() and not _in_gb2312(c) for c in text)


def _in_gb2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _guess_utf16(sample: bytes) -> Encoding | None:
    """Tell UTF-16 without a mark from stray NUL bytes by where line ends and ASCII fall."""
    best: tuple[float, Encoding] | None = None
    even = sample[: len(sample) & ~1]
    orders: tuple[Encoding, ...] = ("utf-16-le", "utf-16-be")
    for encoding in orders:
        # The window may end between the halves of a surrogate pair.
        text = even.decode(encoding, errors="ignore")
        if not text or "\x00" in text:
            continue
        plain = sum(c in "\t\n\r" or " " <= c <= "~" for c in text)
        known = plain + sum("\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in text)
        ends = even.count(b"\n")
        real_ends = text.count("\n")
        if plain and known >= 0.8 * len(text) and (not ends or real_ends >= 0.5 * ends):
            score = plain / len(text)
            if best is None or score > best[0]:
                best = (score, encoding)
    return best[1] if best else None
