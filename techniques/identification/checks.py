"""Check digits, calendar dates and number ranges, which set an identifier apart from other digits.

Each check here is for a single text and needs nothing but Python, so that whoever only shows the rules
does not load the engine. :mod:`check_blocks` holds the same checks for whole columns.
"""

from __future__ import annotations

import datetime
import operator

_CODES = "111213141521222331323334353637414243444546505152535461626364657181828391"
PROVINCE_CODES = frozenset(_CODES[i : i + 2] for i in range(0, len(_CODES), 2))
"""First two digits of a division code by GB/T 2260; 81 to 83 and 91 stand on residence permits."""
PERMIT_REGIONS = ("810000", "820000", "830000")
"""What stands for the division on the residence permits of people from Hong Kong, Macao and Taiwan."""

# The century of the oldest living person and of every register kept since; the end is far rather
# than today, so that a scan repeated years later finds the same.
FIRST_YEAR, LAST_YEAR = 1850, 2099

ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
ID_CHECKS = "10X98765432"
CREDIT_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
CREDIT_WEIGHTS = tuple(pow(3, i, 31) for i in range(17))
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
VIN_VALUES = {c: int(c) for c in "0123456789"} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", [*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)], strict=True)
)


def is_calendar_date(year: int, month: int, day: int) -> bool:
    """Whether the date exists and could be a living person's birth date."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def is_id_region(code: str) -> bool:
    """Whether an identity number may begin with these six digits.

    GB 11643 has a division there. Any county code counts: people keep the number of a division that was renamed or
    merged. Residence permits have one of :data:`PERMIT_REGIONS`; a foreigner's permanent residence card has 9, the
    province that issued it and the number of a country (ISO 3166-1).
    """
    if code[2:] == "0000":
        return code in PERMIT_REGIONS
    return code[:2] in PROVINCE_CODES or (
        code[0] == "9" and code[1:3] in PROVINCE_CODES and code[3:] != "000"
    )


def is_id_shape(number: str) -> bool:
    """18 characters that begin as an identity number does and hold a real date, whatever the check character."""
    return is_id_region(number[:6]) and is_calendar_date(
        int(number[6:10]), int(number[10:12]), int(number[12:14])
    )


def id_check_character(first_17: str) -> str:
    """The check character of GB 11643 (ISO 7064 MOD 11-2) for the first 17 digits."""
    return ID_CHECKS[sum(map(operator.mul, map(int, first_17), ID_WEIGHTS)) % 11]


def is_id_number(number: str) -> bool:
    """Whether 18 characters without separators are an identity number by GB 11643."""
    return is_id_shape(number) and id_check_character(number[:17]) == number[17].upper()


def is_old_id_number(number: str) -> bool:
    """Whether 15 digits are an identity number of before 1999: the year has two digits of 19xx."""
    return is_id_region(number[:6]) and is_calendar_date(
        1900 + int(number[6:8]), int(number[8:10]), int(number[10:12])
    )


def is_old_residence_card(number: str) -> bool:
    """Whether 15 characters are a foreigner's permanent residence card of before 2017: country, division, date, serial."""
    return number[3:5] in PROVINCE_CODES and is_calendar_date(
        1900 + int(number[7:9]), int(number[9:11]), int(number[11:13])
    )


_LETTER_NUMBERS = dict(zip("ABCDEFGHJKLMNPQRSTUVXYWZIO", range(10, 36), strict=True))
"""Places of Taiwan, as its identity numbers count them."""


def is_taiwan_number(number: str) -> bool:
    """Whether ten characters are an identity number of Taiwan or, by its second character, a resident's there."""
    place = _LETTER_NUMBERS[number[0]]
    second = number[1] if number[1].isdigit() else str(_LETTER_NUMBERS[number[1]] % 10)
    digits = [place // 10, place % 10, *map(int, second + number[2:])]
    return sum(d * w for d, w in zip(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0


def is_hong_kong_number(number: str) -> bool:
    """Whether one or two letters, six digits and a check character are an identity card's of Hong Kong."""
    values = [36 if c == " " else int(c, 36) for c in number[:-1].rjust(8)]
    check = 10 if number[-1] == "A" else int(number[-1])
    return (sum(v * w for v, w in zip(values, range(9, 1, -1), strict=True)) + check) % 11 == 0


def luhn(number: str) -> bool:
    """The Luhn check (ISO/IEC 7812) of a text of digits."""
    total = 0
    for place, character in enumerate(reversed(number)):
        digit = int(character) << (place & 1)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


def is_credit_code(code: str) -> bool:
    """Whether a text is a unified social credit code (GB 32100, modulus 31)."""
    numbers = [CREDIT_ALPHABET.find(character) for character in code]
    total = sum(n * w for n, w in zip(numbers, CREDIT_WEIGHTS, strict=False))
    return len(code) == 18 and min(numbers) >= 0 and (31 - total % 31) % 31 == numbers[17]


def is_vin(code: str) -> bool:
    """Whether 17 characters are a vehicle identification number (GB 16735 check digit)."""
    numbers = [VIN_VALUES.get(character, -1) for character in code]
    if len(code) != 17 or min(numbers) < 0 or code.isdigit() or code.isalpha():
        return False
    remainder = sum(n * w for n, w in zip(numbers, VIN_WEIGHTS, strict=True)) % 11
    return code[8] == ("X" if remainder == 10 else str(remainder))
