"""A value written otherwise: forms that anybody can turn back, and digests that need no key to be made again."""

from __future__ import annotations

import base64
import binascii
import hashlib
import html
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from urllib.parse import unquote_to_bytes

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.compiling import compiled
from techniques.identification.check_blocks import byte_matrix
from techniques.identification.traces.values import Mask, isin, plain
from techniques.identification.vocabulary import SURNAMES, TRADITIONAL_SURNAMES
from techniques.values.numbered import NumberedTexts

Bytes = npt.NDArray[np.uint8]

_BASE64 = r"^[A-Za-z0-9+/_-]{6,}={0,2}$"
_BASE32 = r"^[A-Za-z2-7]{8,}=*$"
_HEX = r"^(0x)?([0-9A-Fa-f]{2}){4,}$"
_URL = r"^(%[0-9A-Fa-f]{2}|[A-Za-z0-9._~+-])*%[0-9A-Fa-f]{2}"
_HTML = r"^(&#x?[0-9A-Fa-f]+;)+"
_ESCAPES = r"^(\\u[0-9A-Fa-f]{4})+"
_DIGEST = r"^(0x)?[0-9A-Fa-f]{16,128}$"
_DIGEST_IN_BASE64 = r"^[A-Za-z0-9+/_-]{22,86}={0,2}$"
_DIGEST_SIZES = (16, 20, 28, 32, 48, 64)
_DIGEST_SIGNS = pa.array([-(-8 * size // 6) for size in _DIGEST_SIZES], pa.int32())
"""Signs of Base64 that so many bytes take, without those that fill up."""
_AT_ONCE = 1 << 16
"""Texts in Base64 that are turned back at once: their signs and bytes lie in memory several times."""
_GIVEN_NAME_FIRST = f"^[\u3400-\u9fff]{{1,2}}[{SURNAMES}{TRADITIONAL_SURNAMES}]$"
_ALGORITHMS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sm3")
_SALTS = ("", "salt", "123456", "abc123", "admin", "password", "secret", "hash", "test", "key")
"""What somebody tries who has seen a digest: no salt, or one that stands in every list."""
_ENCODINGS = ("utf-8", "gb18030")
_SEXTETS = np.zeros(256, dtype=np.uint8)
"""What a sign of Base64 is worth, in the alphabet of addresses as well."""
_SEXTETS[np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", np.uint8)] = (
    range(64)
)
_SEXTETS[np.frombuffer(b"-_", np.uint8)] = 62, 63
_TRIED = 60
"""Values of the source of which digests are made: one function has made the whole column."""


def readings(texts: pa.Array, folded: pa.Array) -> Iterator[tuple[str, pa.Array]]:
    """(how it was written, the same n texts turned back; null where they cannot be), in their plain form.

    ``folded``: ``texts`` in their plain form. A form in which none of them is written is left out.
    """
    # Bytes are put backwards many times faster than characters.
    is_ascii = pc.all(pc.string_is_ascii(folded)).as_py()
    yield "reversed", pc.ascii_reverse(folded) if is_ascii else pc.utf8_reverse(folded)
    if (turned := _turned(folded)).null_count < len(turned):
        yield "turned", turned
    if (decoded := _decoded_base64(texts)).null_count < len(decoded):
        yield "Base64", _plain_where_known(decoded)
    for name, written, shape, decode in (
        ("Base32", texts, _BASE32, _from_base32),
        ("hex", folded, _HEX, _from_hex),
        ("URL", texts, _URL, unquote_to_bytes),
        ("HTML", texts, _HTML, lambda text: html.unescape(text).encode()),
        ("Unicode", texts, _ESCAPES, lambda text: text.encode().decode("unicode_escape").encode()),
    ):
        decoded = _decoded(written, shape, decode)
        if decoded.null_count < len(decoded):
            yield name, _plain_where_known(decoded)


class Digests:
    """What digests without a key make of ``originals`` (n,), the values of the column ``name``.

    Digests may be cut short, in either case, over the value as it stands or without separators, with a salt that
    anybody guesses before or behind it (the column's name among them).
    """

    def __init__(self, originals: pa.Array, name: str) -> None:
        self.originals, self.salts = originals, (*_SALTS, name)
        step = max(1, len(originals) // _TRIED)
        self._some = originals.take(pa.array(range(0, len(originals), step), pa.int64()))

    @cached_property
    def _of_some(self) -> dict[tuple[str, str], list[str]]:
        """Algorithm and salt → the digests of some originals, which every column is compared with."""
        spelled = _spelled(self._some)
        known = [one for one in _ALGORITHMS if one in hashlib.algorithms_available]
        return {(one, salt): _digests(spelled, one, salt) for one in known for salt in self.salts}

    def among(self, written: DigestLike) -> tuple[str, Mask]:
        """The algorithm that makes values of a column (m,) out of the originals, and which it makes; "" and none where none that
        is tried does."""
        for (algorithm, salt), digests in self._of_some.items() if len(written.known) else ():
            tried = pa.array(_cut(digests, written.lengths), pa.string())
            if not (written.known.numbers(tried) >= 0).any():
                continue
            every = list(_cut(_digests(_spelled(self.originals), algorithm, salt), written.lengths))
            called = algorithm.upper().replace("SHA", "SHA-") if algorithm != "sm3" else "SM3"
            return called, isin(written.texts, pa.array(every, pa.string()))
        return "", np.zeros(len(written.texts), dtype=bool)


class DigestLike:
    """A column's ``texts`` (m,) in lower case as hexadecimal digits without 0x, the bytes of digests in Base64 too; ``known`` are those
    that look like digests, of ``lengths``. Where none does the texts are left as they are."""

    def __init__(self, texts: pa.Array) -> None:
        self.texts = _as_hex(texts)
        shaped = pc.match_substring_regex(self.texts, _DIGEST)
        if pc.any(shaped).as_py():
            self.texts = pc.replace_substring_regex(pc.utf8_lower(self.texts), "^0x", "")
        self.known = NumberedTexts(self.texts.filter(shaped).unique())
        self.lengths = sorted(pc.unique(pc.utf8_length(self.known.values)).to_pylist())


def _as_hex(texts: pa.Array) -> pa.Array:
    """Texts of which those that are the bytes of a digest in Base64 stand as hex."""
    shaped = pc.fill_null(pc.match_substring_regex(texts, _DIGEST_IN_BASE64), False)
    # Sixty-four hexadecimal digits are SHA-256 or SM3, although as Base64 they would be as long as SHA-384.
    shaped = pc.and_not(shaped, pc.fill_null(pc.match_substring_regex(texts, _DIGEST), False))
    some = _where(texts, shaped)
    as_long = pc.is_in(pc.binary_length(_without_filling(some)), _DIGEST_SIGNS)
    if not pc.any(as_long).as_py():
        return texts
    shaped = pc.replace_with_mask(shaped, shaped, as_long)
    some = some.filter(as_long)
    found = np.empty(len(some), dtype=object)
    for places, raw in _from_base64(some):
        found[places] = [one.hex() for one in _rows(raw)]
    return pc.replace_with_mask(texts, shaped, pa.array(found, pa.string()))


def _turned(folded: pa.Array) -> pa.Array:
    """Chinese names (n,) whose surname stands at their end, as they were before; null for everything else."""
    han = pc.match_substring_regex(folded, _GIVEN_NAME_FIRST)
    nothing = pa.nulls(len(folded), pa.string())
    if not pc.any(han).as_py():
        return nothing
    names = folded.filter(han)
    last, rest = pc.utf8_slice_codeunits(names, -1), pc.utf8_slice_codeunits(names, 0, -1)
    return pc.replace_with_mask(nothing, han, pc.binary_join_element_wise(last, rest, ""))


def _spelled(texts: pa.Array) -> set[str]:
    """The ways in which a value may have been written before a digest of it was made."""
    folded = plain(texts)
    return {*texts.to_pylist(), *folded.to_pylist(), *pc.utf8_upper(folded).to_pylist()}


def _digests(texts: set[str], algorithm: str, salt: str) -> list[str]:
    """Their digests with the salt before or behind."""
    return [
        hashlib.new(algorithm, whole.encode(), usedforsecurity=False).hexdigest()
        for text in texts
        for whole in dict.fromkeys((salt + text, text + salt))
    ]


def _cut(digests: Iterable[str], lengths: Iterable[int]) -> Iterator[str]:
    """``digests`` cut to each of ``lengths`` that they have."""
    for digest in digests:
        for length in lengths:
            if length <= len(digest):
                yield digest[:length]


def _plain_where_known(texts: pa.Array) -> pa.Array:
    """Texts, most of which are null, in their plain form."""
    known = texts.is_valid()
    return pc.replace_with_mask(pa.nulls(len(texts), pa.string()), known, plain(texts.filter(known)))


def _decoded(texts: pa.Array, shape: str, decode: Callable[[str], bytes]) -> pa.Array:
    shaped = pc.fill_null(pc.match_substring_regex(texts, shape), False)
    if not pc.any(shaped).as_py():
        return pa.nulls(len(texts), pa.string())
    found = [_turned_back(decode, text) for text in texts.filter(shaped).to_pylist()]
    return pc.replace_with_mask(pa.nulls(len(texts), pa.string()), shaped, pa.array(found, pa.string()))


def _decoded_base64(texts: pa.Array) -> pa.Array:
    shaped = pc.fill_null(pc.match_substring_regex(texts, _BASE64), False)
    if not pc.any(shaped).as_py():
        return pa.nulls(len(texts), pa.string())
    # Part by part, so that copies of all texts never lie in memory at once.
    parts = range(0, len(texts), _AT_ONCE)
    return pa.concat_arrays(
        [_part_of_base64(texts.slice(part, _AT_ONCE), shaped.slice(part, _AT_ONCE)) for part in parts]
    )


def _part_of_base64(texts: pa.Array, shaped: pa.Array) -> pa.Array:
    """What the texts (n,) of which some are ``shaped`` as Base64 say; null for the others."""
    some = texts.filter(shaped)
    found = np.full(len(some), None, dtype=object)
    for places, raw in _from_base64(some):
        # A control character can be no part of another one, neither in UTF-8 nor in GB 18030, and is not printable.
        open_ = np.flatnonzero(~((raw < 0x20) | (raw == 0x7F)).any(axis=1))
        spelled = _spelled_in(raw[open_])
        for number, encoding in enumerate(_ENCODINGS):
            fitting = open_[spelled == number]
            found[places[fitting]] = _texts(raw[fitting], encoding)
    return pc.replace_with_mask(pa.nulls(len(texts), pa.string()), shaped, pa.array(found, pa.string()))


def _where(texts: pa.Array, chosen: pa.Array) -> pa.Array:
    """Those of the texts; nothing is copied where all of them are."""
    return texts if pc.all(chosen).as_py() else texts.filter(chosen)


def _turned_back(decode: Callable[[str], bytes], text: str) -> str | None:
    try:
        return _text(decode(text))
    except (ValueError, binascii.Error):
        return None


def _texts(raw: Bytes, encoding: str) -> list[str | None]:
    """The text of each row (n, bytes), none of which holds a control character; None where it is none that can be printed."""
    ended = np.full((len(raw), raw.shape[1] + 1), ord("\n"), dtype=np.uint8)
    ended[:, :-1] = raw
    # A line end is part of no other character, so all rows are read at once; with some more of them behind it nor is the last one.
    texts = (ended.tobytes() + b"\n" * 3).decode(encoding, "replace").split("\n")[: len(raw)]
    return [
        _text(raw[row].tobytes()) if "\ufffd" in text else text if text.isprintable() else None
        for row, text in enumerate(texts)
    ]


@compiled
def _spelled_in(raw):  # type: ignore[no-untyped-def]
    """In which of :data:`_ENCODINGS` each row (n, bytes) can be written by the form of its bytes: the number of the first one, -1 in
    none of them."""
    rows, width = raw.shape
    found = np.full(rows, -1, np.int8)
    for row in range(rows):
        at, fits = 0, True
        while at < width and fits:
            first = raw[row, at]
            more, low, high = 0, 0x80, 0xBF
            if first >= 0x80:
                fits = 0xC2 <= first <= 0xF4
                more = 1 if first < 0xE0 else 2 if first < 0xF0 else 3
                if first == 0xE0:
                    low = 0xA0
                elif first == 0xED:
                    high = 0x9F
                elif first == 0xF0:
                    low = 0x90
                elif first == 0xF4:
                    high = 0x8F
            at += 1
            while more and fits:
                fits = at < width and low <= raw[row, at] <= high
                low, high = 0x80, 0xBF
                at += 1
                more -= 1
        if fits:
            found[row] = 0
            continue
        at, fits = 0, True
        while at < width and fits:
            first = raw[row, at]
            at += 1
            if first < 0x80:
                continue
            fits = first != 0x80 and first != 0xFF and at < width
            if fits and 0x30 <= raw[row, at] <= 0x39:
                fits = (
                    at + 2 < width and 0x81 <= raw[row, at + 1] <= 0xFE and 0x30 <= raw[row, at + 2] <= 0x39
                )
                at += 3
            elif fits:
                fits = raw[row, at] >= 0x40 and raw[row, at] != 0x7F and raw[row, at] != 0xFF
                at += 1
        if fits:
            found[row] = 1
    return found


def _text(raw: bytes) -> str | None:
    for encoding in _ENCODINGS:
        try:
            found = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return found if found.isprintable() else None
    return None


def _from_base64(texts: pa.Array) -> Iterator[tuple[npt.NDArray[np.int64], Bytes]]:
    """(places of some of n ``texts``, of one length, their bytes (places, bytes)); no text of an impossible length."""
    bare = _without_filling(texts)
    lengths = pc.binary_length(bare).to_numpy()
    for length in np.unique(lengths).tolist():
        if length % 4 == 1:
            continue
        of_length = np.flatnonzero(lengths == length)
        for start in range(0, len(of_length), _AT_ONCE):
            places = of_length[start : start + _AT_ONCE]
            signs = np.zeros((len(places), length + -length % 4), dtype=np.uint8)
            signs[:, :length] = _SEXTETS[byte_matrix(bare.take(pa.array(places)), length)]
            first, second, third, fourth = (signs[:, at::4] for at in range(4))
            raw = np.stack([first << 2 | second >> 4, second << 4 | third >> 2, third << 6 | fourth], axis=2)
            yield places, raw.reshape(len(places), -1)[:, : length * 6 // 8]


def _without_filling(texts: pa.Array) -> pa.Array:
    """Texts in Base64 without the signs that fill them up; nothing is copied where none has any."""
    return pc.ascii_rtrim(texts, "=") if pc.any(pc.ends_with(texts, "=")).as_py() else texts


def _rows(raw: Bytes) -> Iterator[bytes]:
    """The bytes of each row (n, bytes)."""
    width, whole = raw.shape[1], raw.tobytes()
    return (whole[start : start + width] for start in range(0, len(whole), width))


def _from_base32(text: str) -> bytes:
    bare = text.rstrip("=").upper()
    return base64.b32decode(bare + "=" * (-len(bare) % 8))


def _from_hex(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))
