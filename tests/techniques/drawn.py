"""Values drawn at random, of the kinds that techniques are tried on."""

from __future__ import annotations

import random

from techniques.identification.checks import id_check_character


def number(draw: random.Random) -> str:
    return str(draw.randrange(10_000))


def digits(draw: random.Random) -> str:
    return "".join(draw.choice("0123456789") for _ in range(draw.randrange(6, 30)))


def phone(draw: random.Random) -> str:
    return f"138{draw.randrange(10**8):08}"


def id_number(draw: random.Random) -> str:
    first = f"{draw.choice([11, 36, 65])}{draw.randrange(1, 9999):04}{draw.randrange(1880, 2050)}{draw.randrange(1, 13):02}{draw.randrange(1, 29):02}{draw.randrange(1000):03}"
    return first + id_check_character(first)


def date(draw: random.Random) -> str:
    return f"{draw.randrange(1900, 2030)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"


def day(draw: random.Random) -> str:
    return f"2024/{draw.randrange(1, 13)}/{draw.randrange(1, 5)}"


def degrees(draw: random.Random) -> str:
    return f"{draw.uniform(-60, 60):.4f}"


def word(draw: random.Random) -> str:
    return "".join(draw.choice("张王李abcXYZ09 -") for _ in range(draw.randrange(1, 12)))


def address(draw: random.Random) -> str:
    return (
        draw.choice(["江西省南昌市东湖区", "广东省深圳市南山区", "北京市海淀区"])
        + f"路{draw.randrange(99)}号"
    )
