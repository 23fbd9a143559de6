"""Inner loops over the bytes of texts."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled

BAD, GOOD, ODD = 0, 1, 2
"""No number, a number, and a text that the slower way has to look at."""
MAX_DIGITS = 18
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57
_CONTINUES, _CONTINUED = 0xC0, 0x80
"""A byte goes on with a character of UTF-8 where its two highest bits are 10."""


@compiled
def read_numbers(bounds, data, scale, unscaled, kinds):
    """Sign, digits, point, digits: anything else is odd. Decimals beyond ``scale`` are cut off."""
    for row in range(len(unscaled)):
        place, end = bounds[row], bounds[row + 1]
        negative = False
        if place < end and (data[place] == _PLUS or data[place] == _MINUS):
            negative = data[place] == _MINUS
            place += 1
        number = 0
        whole = 0
        decimals = -1
        digits = 0
        kind = GOOD
        while place < end:
            byte = data[place]
            if _ZERO <= byte <= _NINE:
                digits += 1
                if decimals < 0:
                    if whole > 0 or byte != _ZERO:
                        whole += 1
                    if whole + scale <= MAX_DIGITS:
                        number = number * 10 + (byte - _ZERO)
                elif decimals < scale:
                    decimals += 1
                    if whole + scale <= MAX_DIGITS:
                        number = number * 10 + (byte - _ZERO)
            elif byte == _POINT and decimals < 0:
                decimals = 0
            else:
                kind = ODD
                break
            place += 1
        if kind == GOOD:
            if digits == 0 or whole + scale > MAX_DIGITS:
                kind = BAD
            else:
                for _ in range(scale - max(decimals, 0)):
                    number *= 10
                unscaled[row] = -number if negative else number
        kinds[row] = kind


@compiled
def number_lengths(unscaled, scale, offsets):
    """The end of each number's text."""
    for row in range(len(unscaled)):
        number = unscaled[row]
        length = 1 if number < 0 else 0
        rest = np.uint64(-number) if number < 0 else np.uint64(number)
        ten = np.uint64(10)
        decimals = scale
        while decimals > 0 and rest % ten == 0:
            rest //= ten
            decimals -= 1
        count = 0
        while rest > 0:
            rest //= ten
            count += 1
        length += max(count, decimals + 1) + (1 if decimals > 0 else 0)
        offsets[row + 1] = offsets[row] + length


@compiled
def write_numbers(unscaled, scale, offsets, data):
    """The texts, from the last character to the first."""
    ten = np.uint64(10)
    for row in range(len(unscaled)):
        number = unscaled[row]
        rest = np.uint64(-number) if number < 0 else np.uint64(number)
        decimals = scale
        while decimals > 0 and rest % ten == 0:
            rest //= ten
            decimals -= 1
        place = offsets[row + 1] - 1
        first = offsets[row] + (1 if number < 0 else 0)
        if number < 0:
            data[offsets[row]] = _MINUS
        written = 0
        while place >= first:
            if decimals > 0 and written == decimals:
                data[place] = _POINT
                place -= 1
            data[place] = _ZERO + np.uint8(rest % ten)
            rest //= ten
            written += 1
            place -= 1


@compiled
def plan_hiding(bounds, data, left, right, mask_bytes, fixed, plan, offsets):
    """Per text: bytes kept at the left, where the right part begins, characters hidden; and where it will end."""
    for row in range(len(plan)):
        start, end = bounds[row], bounds[row + 1]
        count = 0
        for place in range(start, end):
            if data[place] & _CONTINUES != _CONTINUED:
                count += 1
        head, tail = left[row], right[row]
        if count <= head + tail:
            head = tail = 0
        kept, cut = end, end
        seen = 0
        for place in range(start, end):
            if data[place] & _CONTINUES != _CONTINUED:
                if seen == head:
                    kept = place
                if seen == count - tail:
                    cut = place
                    break
                seen += 1
        if head == 0:
            kept = start
        shown = count - head - tail if fixed < 0 else fixed
        plan[row, 0] = kept - start
        plan[row, 1] = cut
        plan[row, 2] = shown
        offsets[row + 1] = offsets[row] + (kept - start) + shown * mask_bytes + (end - cut)


@compiled
def hide(bounds, data, plan, mask, offsets, made):
    """Copy what is kept and fill in the mask."""
    for row in range(len(plan)):
        start, end = bounds[row], bounds[row + 1]
        place = offsets[row]
        for i in range(start, start + plan[row, 0]):
            made[place] = data[i]
            place += 1
        for _ in range(plan[row, 2]):
            for byte in mask:
                made[place] = byte
                place += 1
        for i in range(plan[row, 1], end):
            made[place] = data[i]
            place += 1
