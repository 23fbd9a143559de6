"""HMAC (RFC 2104) of many messages under one key, :data:`LANES` of them at the same time.

A library takes one message, and being called costs more than hashing a short one. Here each operation of the hash is done to a word of
every message in a row, which the processor does for several at once. SM3 is GB/T 32905, SHA-256 FIPS 180-4. No branch and no place in
memory depends on the key or on what a message says, only on how long it is.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner

LANES = 256
"""Messages that go through the hash at the same time: their words fit into the fastest memory of a core."""
BLOCK = 64
"""Bytes that both hashes take at a time."""
SIZE = 32
"""Bytes of a digest of both."""
_LENGTH = 8
"""Bytes of the length at the end of what is hashed."""

_SM3_START = (0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E)  # fmt: skip
_SHA256_START = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)  # fmt: skip
_STARTS = {"hmac-sm3": _SM3_START, "hmac-sha256": _SHA256_START}
_PLAIN = {"hmac-sm3": "sm3", "hmac-sha256": "sha256"}


def _sm3_constants() -> NDArray[np.uint32]:
    """T of each round, already turned left by its number."""
    values = [0x79CC4519] * 16 + [0x7A879D8A] * 48
    turned = [(value << step % 32 | value >> (32 - step % 32)) % 2**32 for step, value in enumerate(values)]
    return np.array(turned, np.uint32)


def _sha256_constants() -> NDArray[np.uint32]:
    """The first 32 bits of the fractional parts of the cube roots of the first 64 primes."""
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, int(n**0.5) + 1))]
    return np.array([_cube_root(prime << 96) % 2**32 for prime in primes], np.uint32)


def _cube_root(number: int) -> int:
    """The whole part of the cube root."""
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle - 1)
    return low


_SM3_ROUNDS = _sm3_constants()
_SHA256_ROUNDS = _sha256_constants()


def keyed_hashes(algorithm: str, key: bytes, prefix: bytes, messages: pa.Array) -> NDArray[np.uint8]:
    """(n, 32): HMAC of ``prefix + message`` for each of n messages (strings or binary, none missing).

    ``algorithm`` is "hmac-sm3" or "hmac-sha256". The key and the whole blocks of the prefix are taken in once.
    """
    whole = messages.cast(pa.large_binary())
    ends = np.frombuffer(whole.buffers()[1] or bytes(8), np.int64)[
        whole.offset : whole.offset + len(whole) + 1
    ]
    data = np.frombuffer(whole.buffers()[2] or b"", np.uint8)
    national = algorithm == "hmac-sm3"
    if len(key) > BLOCK:
        key = hashlib.new(_PLAIN[algorithm], key).digest()
    padded = np.frombuffer(key.ljust(BLOCK, b"\0"), np.uint8)
    start = np.array(_STARTS[algorithm], np.uint32)
    absorbed = len(prefix) // BLOCK * BLOCK
    opening = np.concatenate([padded ^ np.uint8(0x36), np.frombuffer(prefix[:absorbed], np.uint8)])
    first = _absorbed(start, opening.view(">u4").astype(np.uint32), national)
    last = _absorbed(start, (padded ^ np.uint8(0x5C)).view(">u4").astype(np.uint32), national)
    rest = np.frombuffer(prefix[absorbed:], np.uint8)
    blocks = (len(rest) + np.diff(ends) + _LENGTH) // BLOCK + 1
    # Messages of as many blocks go together, so that none waits for a longer one.
    order = np.argsort(blocks, kind="stable")
    made = np.empty((len(whole), SIZE // 4), np.uint32)
    _hmacs(first, last, len(opening), rest, data, ends, blocks, order, national, made)
    return made.astype(">u4").view(np.uint8)


@compiled
def _absorbed(start, words, national):
    """The state (8,) of the hash behind whole blocks, 16 words each."""
    state, schedule, work = _room()
    taking = np.ones(LANES, np.bool_)
    _all_alike(state, start, 0, 8)
    for first in range(0, len(words), 16):
        _all_alike(schedule, words, first, 16)
        _step(state, schedule, work, taking, national)
    return state[:, 0].copy()


@compiled
def _hmacs(first, last, before, rest, data, ends, blocks, order, national, made):
    """Fill ``made`` (n, 8), message by message in ``order``; ``before`` bytes led to the state ``first``."""
    state, schedule, work = _room()
    taking = np.empty(LANES, np.bool_)
    block = np.empty(BLOCK, np.uint8)
    for begin in range(0, len(order), LANES):
        number = min(LANES, len(order) - begin)
        _all_alike(state, first, 0, 8)
        steps = blocks[order[begin + number - 1]]
        for step in range(steps + 1):
            if step < steps:
                for lane in range(number):
                    message = order[begin + lane]
                    taking[lane] = step < blocks[message]
                    if taking[lane]:
                        _fill(block, step, before, rest, data, ends[message], ends[message + 1])
                        for word in range(16):
                            schedule[word, lane] = _word(block, 4 * word)
            else:
                _outer(state, schedule, taking, last)
            _step(state, schedule, work, taking, national)
        for lane in range(number):
            for word in range(8):
                made[order[begin + lane], word] = state[word, lane]


@inner
def _room():
    """States, words of a block with those made of them, and room for letters; of every lane."""
    return np.empty((8, LANES), np.uint32), np.zeros((68, LANES), np.uint32), np.empty((8, LANES), np.uint32)


@inner
def _all_alike(made, words, first, number):
    """Give every lane the same words."""
    for word in range(number):
        for lane in range(LANES):
            made[word, lane] = words[first + word]


@inner
def _outer(state, schedule, taking, last):
    """Make the inner digests what the outer hash takes next: one block behind that of the key, which led to ``last``."""
    for lane in range(LANES):
        taking[lane] = True
        for word in range(8):
            schedule[word, lane] = state[word, lane]
            schedule[8 + word, lane] = 0
            state[word, lane] = last[word]
        schedule[8, lane] = np.uint32(0x80000000)
        schedule[15, lane] = np.uint32(8 * (BLOCK + SIZE))


@inner
def _fill(block, step, before, rest, data, begin, end):
    """Block ``step`` of what is hashed: ``rest``, the message, a one, zeros and, in the last block, the length in bits."""
    opened = len(rest)
    whole = opened + end - begin
    at = step * BLOCK
    last = at + BLOCK - _LENGTH > whole
    bits = np.uint64(8 * (before + whole))
    for place in range(BLOCK):
        byte = at + place
        if byte < opened:
            block[place] = rest[byte]
        elif byte < whole:
            block[place] = data[begin + byte - opened]
        elif byte == whole:
            block[place] = 0x80
        elif last and place >= BLOCK - _LENGTH:
            block[place] = (bits >> np.uint64(8 * (BLOCK - 1 - place))) & np.uint64(0xFF)
        else:
            block[place] = 0


@inner
def _word(block, place):
    return (
        np.uint32(block[place]) << 24
        | np.uint32(block[place + 1]) << 16
        | np.uint32(block[place + 2]) << 8
        | np.uint32(block[place + 3])
    )


@inner
def _step(state, schedule, work, taking, national):
    """Take a block of 16 words into the states of those lanes that are ``taking`` one; ``work`` is for use within."""
    if national:
        _sm3(state, schedule, work)
        for word in range(8):
            for lane in range(LANES):
                state[word, lane] ^= work[word, lane] if taking[lane] else np.uint32(0)
    else:
        _sha256(state, schedule, work)
        for word in range(8):
            for lane in range(LANES):
                state[word, lane] += work[word, lane] if taking[lane] else np.uint32(0)


@inner
def _copied(state, work):
    for word in range(8):
        for lane in range(LANES):
            work[word, lane] = state[word, lane]


@inner
def _left(word, bits):
    return np.uint32(np.uint32(word << np.uint32(bits)) | np.uint32(word >> np.uint32(32 - bits)))


@inner
def _sm3(state, schedule, work):
    """The compression of GB/T 32905, 5.3, but for the last exclusive or. A word that the standard moves on to the next letter stays
    where it is here, and the letters move."""
    for row in range(16, 68):
        for lane in range(LANES):
            mixed = schedule[row - 16, lane] ^ schedule[row - 9, lane] ^ _left(schedule[row - 3, lane], 15)
            mixed = np.uint32(mixed)
            permuted = mixed ^ _left(mixed, 15) ^ _left(mixed, 23)
            schedule[row, lane] = permuted ^ _left(schedule[row - 13, lane], 7) ^ schedule[row - 6, lane]
    _copied(state, work)
    for number in range(64):
        a, b, c, d = work[-number % 4], work[(1 - number) % 4], work[(2 - number) % 4], work[(3 - number) % 4]
        e, f = work[4 + -number % 4], work[4 + (1 - number) % 4]
        g, h = work[4 + (2 - number) % 4], work[4 + (3 - number) % 4]
        here, later, constant = schedule[number], schedule[number + 4], _SM3_ROUNDS[number]
        early = number < 16
        for lane in range(LANES):
            turned = _left(a[lane], 12)
            first = _left(np.uint32(turned + e[lane] + constant), 7)
            if early:
                some = a[lane] ^ b[lane] ^ c[lane]
                other = e[lane] ^ f[lane] ^ g[lane]
            else:
                some = (a[lane] & b[lane]) | (a[lane] & c[lane]) | (b[lane] & c[lane])
                other = (e[lane] & f[lane]) | (~e[lane] & g[lane])
            new = np.uint32(some + d[lane] + (first ^ turned) + (here[lane] ^ later[lane]))
            last = np.uint32(other + h[lane] + first + here[lane])
            b[lane] = _left(b[lane], 9)
            f[lane] = _left(f[lane], 19)
            d[lane] = new
            h[lane] = last ^ _left(last, 9) ^ _left(last, 17)


@inner
def _sha256(state, schedule, work):
    """The compression of FIPS 180-4, 6.2.2, but for the last sum; letters move as in :func:`_sm3`."""
    for row in range(16, 64):
        for lane in range(LANES):
            early, late = schedule[row - 15, lane], schedule[row - 2, lane]
            small = _left(early, 25) ^ _left(early, 14) ^ (early >> np.uint32(3))
            large = _left(late, 15) ^ _left(late, 13) ^ (late >> np.uint32(10))
            schedule[row, lane] = schedule[row - 16, lane] + small + schedule[row - 7, lane] + large
    _copied(state, work)
    for number in range(64):
        a, b, c, d = work[-number % 8], work[(1 - number) % 8], work[(2 - number) % 8], work[(3 - number) % 8]
        e, f = work[(4 - number) % 8], work[(5 - number) % 8]
        g, h = work[(6 - number) % 8], work[(7 - number) % 8]
        here, constant = schedule[number], _SHA256_ROUNDS[number]
        for lane in range(LANES):
            turned = _left(e[lane], 26) ^ _left(e[lane], 21) ^ _left(e[lane], 7)
            first = np.uint32(
                h[lane] + turned + ((e[lane] & f[lane]) ^ (~e[lane] & g[lane])) + constant + here[lane]
            )
            second = _left(a[lane], 30) ^ _left(a[lane], 19) ^ _left(a[lane], 10)
            most = (a[lane] & b[lane]) ^ (a[lane] & c[lane]) ^ (b[lane] & c[lane])
            d[lane] = d[lane] + first
            h[lane] = first + second + most
