"""Inner loops over the bytes of texts."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled, inner

BAD, GOOD, ODD = 0, 1, 2
"""No number, a number, and a text that the slower way has to look at."""
MAX_DIGITS = 18
_PLUS, _MINUS, _POINT, _SLASH, _ZERO, _ONE, _NINE = 43, 45, 46, 47, 48, 49, 57
_SPACE, _DELETE = 32, 127
_WIDE_LEAD, _WIDE_FIGURES, _WIDE_ZERO = 0xEF, 0xBC, 0x90
"""The three bytes of a full-width 0."""
_CONTINUES, _CONTINUED = 0xC0, 0x80
"""A byte goes on with a character of UTF-8 where its two highest bits are 10."""


@compiled
def write_plain(bounds, data, plain, gone, offsets, made):
    """Copy texts with characters of at most three bytes as their ASCII form in ``plain`` (65536,), where it is not 0, or without
    them, where it is ``gone``; which texts change."""
    changed = np.zeros(len(offsets) - 1, np.bool_)
    size = 0
    for row in range(len(changed)):
        offsets[row] = size
        place, end = bounds[row], bounds[row + 1]
        while place < end:
            byte = data[place]
            # Half a character at the end, which no text has, is copied as it is.
            length = min(end - place, 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4)
            form = np.uint8(0)
            if length == 2:
                form = plain[(byte & 0x1F) << 6 | data[place + 1] & 0x3F]
            elif length == 3:
                form = plain[(byte & 0x0F) << 12 | (data[place + 1] & 0x3F) << 6 | data[place + 2] & 0x3F]
            if form == 0:
                for step in range(length):
                    made[size + step] = data[place + step]
                size += length
            else:
                changed[row] = True
                if form != gone:
                    made[size] = form
                    size += 1
            place += length
    offsets[-1] = size
    return changed


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
def read_dates(bounds, data, parts, kinds):
    """Year, month and day of a date of ten characters with a sign of ASCII between them, and of 8 or 14 digits; a day written 00 is -1.

    What begins with a sign of ASCII but 1 or 2, and any other number of digits, is no date; the rest is odd.
    """
    for row in range(len(kinds)):
        start, end = bounds[row], bounds[row + 1]
        size = end - start
        kinds[row] = ODD
        if size == 0:
            kinds[row] = BAD
            continue
        first = data[start]
        if first != _ONE and first != _ONE + 1:
            kinds[row] = BAD if _SPACE < first < _DELETE else ODD
            continue
        figures = 0
        while figures < size and _ZERO <= data[start + figures] <= _NINE:
            figures += 1
        if figures == size:
            if size != 8 and size != 14:
                kinds[row] = BAD
                continue
            month, day = start + 4, start + 6
        elif size == 10 and figures == 4 and _is_between(data[start + 4]) and _is_between(data[start + 7]):
            month, day = start + 5, start + 8
            if not (_is_figure(data[month]) and _is_figure(data[month + 1])):
                continue
            if not (_is_figure(data[day]) and _is_figure(data[day + 1])):
                continue
        else:
            continue
        kinds[row] = GOOD
        for place in range(start, start + 4):
            parts[row, 0] = parts[row, 0] * 10 + (data[place] - _ZERO)
        parts[row, 1] = (data[month] - _ZERO) * 10 + (data[month + 1] - _ZERO)
        written = (data[day] - _ZERO) * 10 + (data[day + 1] - _ZERO)
        parts[row, 2] = written if written > 0 else -1


@inner
def _is_figure(byte):
    return _ZERO <= byte <= _NINE


@inner
def _is_between(byte):
    """Whether it separates the parts of a date: hyphen, point or slash."""
    return _MINUS <= byte <= _SLASH


@compiled
def digits_found(bounds, data, offsets):
    """Where the texts will end (n + 1) that are cut off before their first digit, of ASCII or full width."""
    for row in range(len(offsets) - 1):
        start, end = bounds[row], bounds[row + 1]
        place = start
        while place < end:
            byte = data[place]
            if _ZERO <= byte <= _NINE:
                break
            wide = byte == _WIDE_LEAD and place + 2 < end and data[place + 1] == _WIDE_FIGURES
            if wide and _WIDE_ZERO <= data[place + 2] <= _WIDE_ZERO + 9:
                break
            place += 1
        offsets[row + 1] = offsets[row] + (place - start)


@compiled
def copy_beginnings(bounds, data, offsets, made):
    """So much of the beginning of each text as ``offsets`` have room for."""
    for row in range(len(offsets) - 1):
        start = bounds[row] - offsets[row]
        for place in range(offsets[row], offsets[row + 1]):
            made[place] = data[start + place]


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
