"""Inner loops of FF1 for halves below 2^56. Only unsigned 64-bit numbers: nothing may turn into floating point."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled

_8, _16, _24, _32, _40, _48, _56 = (np.uint64(8 * i) for i in range(1, 8))
_10 = np.uint64(10)
_BYTE = np.uint64(0xFF)
_M1, _M2 = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)


@compiled
def _swapped(word):
    """The bytes of a word in the other order."""
    word = ((word & _M1) << _8) | ((word >> _8) & _M1)
    word = ((word & _M2) << _16) | ((word >> _16) & _M2)
    return (word << _32) | (word >> _32)


@compiled
def _reduced(first, second, modulus, size):
    """The first 8 or 12 bytes (``size``) of a block as a number, modulo ``modulus``."""
    rest = first % modulus
    if size == 8:
        return rest
    rest = ((rest << _8) | (second >> _56)) % modulus
    rest = ((rest << _8) | ((second >> _48) & _BYTE)) % modulus
    rest = ((rest << _8) | ((second >> _40) & _BYTE)) % modulus
    return ((rest << _8) | ((second >> _32) & _BYTE)) % modulus


@compiled
def fill(blocks, base, halves, number, shift):
    """The last block of each value's Q, chained: ``base`` (1 or n rows) with round number and half put in."""
    marked = number << shift
    if len(base) == 1:
        high, low = _swapped(base[0, 0]), _swapped(base[0, 1]) ^ marked
        high = _swapped(high)
        for row in range(len(halves)):
            blocks[row, 0] = high
            blocks[row, 1] = _swapped(low ^ halves[row])
    else:
        for row in range(len(halves)):
            blocks[row, 0] = base[row, 0]
            blocks[row, 1] = _swapped(_swapped(base[row, 1]) ^ marked ^ halves[row])


@compiled
def add(sealed, halves, modulus, size):
    """``halves`` plus what the blocks say, in place."""
    for row in range(len(halves)):
        summed = halves[row] + _reduced(_swapped(sealed[row, 0]), _swapped(sealed[row, 1]), modulus, size)
        if summed >= modulus:
            summed -= modulus
        halves[row] = summed


@compiled
def subtract(sealed, halves, modulus, size):
    """``halves`` minus what the blocks say, in place."""
    for row in range(len(halves)):
        part = _reduced(_swapped(sealed[row, 0]), _swapped(sealed[row, 1]), modulus, size)
        if halves[row] < part:
            halves[row] += modulus
        halves[row] -= part


@compiled
def join(letters, table, radix, start, stop, target):
    """Characters ``start`` to ``stop`` of each row as a number; False where one is not in the alphabet."""
    sound = np.ones(len(letters), dtype=np.bool_)
    for row in range(len(letters)):
        number = np.uint64(0)
        for place in range(start, stop):
            digit = table[letters[row, place]]
            if digit < 0:
                sound[row] = False
                digit = 0
            number = number * radix + np.uint64(digit)
        target[row] = number
    return sound


@compiled
def spread(numbers, alphabet, radix, start, stop, letters):
    """The way back: numbers as characters ``start`` to ``stop`` of each row."""
    if radix == 10:
        # A constant divisor compiles to a multiplication.
        for row in range(len(numbers)):
            number = numbers[row]
            for place in range(stop - 1, start - 1, -1):
                rest = number // _10
                letters[row, place] = alphabet[number - rest * _10]
                number = rest
        return
    for row in range(len(numbers)):
        number = numbers[row]
        for place in range(stop - 1, start - 1, -1):
            rest = number // radix
            letters[row, place] = alphabet[number - rest * radix]
            number = rest
