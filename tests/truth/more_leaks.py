"""Leaky results of further kinds: codes that anybody turns back, orders that tell, steps that did not do what they say."""

from __future__ import annotations

import base64
import codecs
import hashlib
import urllib.parse
import zlib
from collections.abc import Mapping
from typing import Any

from tests.truth.leaks import D, Leak, O, Put, Q, S, added, other, people, treated

_SHIFTED = str.maketrans("0123456789", "1234567890")
_ENGLISH = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_PINYIN = ["ling", "yao", "er", "san", "si", "wu", "liu", "qi", "ba", "jiu"]


def _by(technique: str, written: Any, column: str, **parameters: Any) -> dict[str, Put]:
    """A direct identifier that a step of this technique names, and what was written of it all the same."""
    return {column: Put(D, written=written, step={"technique": technique, "parameters": parameters})}


_WARDS = {
    name: Put(O, lambda row, by=by: f"{row['number'] ** 2 * by % 251 % 12}区")
    for name, by in (("病区", 7), ("楼", 101), ("组", 5003))
}


def _digest(name: str, text: str) -> str:
    return hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()


def _rolled(text: str) -> int:
    value = 0
    for byte in text.encode():
        value = (value * 31 + byte) & 0xFFFFFFFF
    return value


def _crc16(text: str) -> int:
    """A checksum by a polynomial that no list has."""
    value = 0x1D0F
    for byte in text.encode():
        value ^= byte << 8
        for _bit in range(8):
            value = ((value << 1) ^ 0x4599 if value & 0x8000 else value << 1) & 0xFFFF
    return value


LEAKS: Mapping[str, Leak] = {
    # codes that anybody turns back
    "names as a URL has them": Leak("residual", added(lambda row: urllib.parse.quote(row["name"]))),
    "names in escapes": Leak("residual", added(lambda row: row["name"].encode("unicode_escape").decode())),
    "names as HTML has them": Leak("residual", added(lambda row: "".join(f"&#{ord(one)};" for one in row["name"]))),
    "names in Base64 twice": Leak(
        "residual", added(lambda row: base64.b64encode(base64.b64encode(row["name"].encode())).decode())
    ),
    "names in hex with blanks between": Leak("residual", added(lambda row: row["name"].encode().hex(" "))),
    "ID numbers in Base85": Leak("telling", added(lambda row: base64.b85encode(row["id"].encode()).decode())),
    "records turned by ROT13": Leak("residual", treated(lambda row: codecs.encode(row["record"], "rot13"), "病历号")),
    "telephone numbers with each digit one up": Leak("residual", treated(lambda row: row["phone"].translate(_SHIFTED), "手机")),
    "telephone numbers as hexadecimal numbers": Leak("residual", added(lambda row: f"{int(row['phone']):x}")),
    "telephone numbers with the country's code": Leak("residual", added(lambda row: f"+86 {row['phone'][:3]}-{row['phone'][3:7]}-{row['phone'][7:]}")),
    "telephone numbers in scientific notation": Leak("residual", added(lambda row: f"{int(row['phone']):.10e}")),
    "telephone numbers with decimals": Leak("residual", added(lambda row: f"{row['phone']}.0")),
    "ID numbers in JSON": Leak("residual", added(lambda row: f'{{"no": "{row["id"]}"}}'.replace(",", ";"))),
    "ID numbers by SHA3": Leak("residual", added(lambda row: _digest("sha3_256", row["id"]))),
    "names by BLAKE2": Leak("residual", added(lambda row: _digest("blake2b", row["name"]))),
    "ID numbers by MD5 twice": Leak("residual", added(lambda row: _digest("md5", _digest("md5", row["id"])))),
    "telephone numbers by CRC": Leak("residual", added(lambda row: f"{zlib.crc32(row['phone'].encode()):08x}")),
    "ID numbers by MD5 in Base64": Leak(
        "telling", added(lambda row: base64.b64encode(hashlib.md5(row["id"].encode(), usedforsecurity=False).digest()).decode())
    ),
    # codes of one's own, without a key, with fewer values than what they are made of
    "ID numbers modulo a million": Leak("residual", treated(lambda row: f"{int(row['id'][:17]) % 10**6:06}")),
    "ID numbers by CRC in decimal, said to be a keyed hash": Leak(
        "residual", _by("pseudonymization.keyed_hash", lambda row: str(zlib.crc32(row["id"].encode())), "身份证号", alphabet="digits")
    ),
    "records by a rolling sum that is divided": Leak("residual", added(lambda row: str(_rolled(row["record"]) % 1_000_003))),
    "telephone numbers by a linear rule, kept beside them": Leak(
        "residual", other(lambda row: f"N{(int(row['phone']) * 7919 + 271) % 9_999_973:07}")
    ),
    "names by a CRC of sixteen bits of one's own, kept beside them": Leak("residual", other(lambda row: f"{_crc16(row['name']):04x}")),
    "ID numbers with weights of one's own": Leak(
        "residual", other(lambda row: str(sum(int(one) * (place * place + 3) ** 3 for place, one in enumerate(row["id"][:17])) % 70_001))
    ),
    "telephone numbers by the heavenly stems": Leak(
        "residual", treated(lambda row: "".join("甲乙丙丁戊己庚辛壬癸"[int(one)] for one in row["phone"]), "手机")
    ),
    "telephone numbers in pictures of digits": Leak("residual", treated(lambda row: "".join(f"{one}\ufe0f\u20e3" for one in row["phone"]), "手机")),
    "names with their signs turned": Leak("residual", treated(lambda row: row["name"][1] + row["name"][0] + row["name"][2], "姓名")),
    "ID numbers squared, the middle of it": Leak("residual", treated(lambda row: str(int(row["id"][:17]) ** 2)[12:20])),
    "names by SHA-256 as a number of eight digits": Leak("residual", added(lambda row: str(int(_digest("sha256", row["name"]), 16) % 10**8))),
    # steps that did not do what they say
    "records by a random pseudonym, as they were": Leak(
        "residual", _by("pseudonymization.random", lambda row: row["record"], "病历号", prefix="M", length=7, alphabet="digits")
    ),
    "records by a keyed hash, as they were": Leak("residual", _by("pseudonymization.keyed_hash", lambda row: row["record"], "病历号")),
    "records by a random pseudonym, half of them": Leak(
        "residual",
        _by(
            "pseudonymization.random", lambda row: row["record"] if row["number"] % 2 else f"M{row['number'] * 7919 % 10**7:07}", "病历号",
            prefix="M", length=7, alphabet="digits",
        ),
    ),
    "names by a list of one's own, as they were": Leak(
        "residual", _by("pseudonymization.name_dictionary", lambda row: row["name"], "姓名")
    ),
    "made-up telephone numbers that are the people's": Leak(
        "residual", _by("synthesis.identifier", lambda row: people()[row["number"] * 7 % 240]["phone"], "手机", kind="phone")
    ),
    "a mask of other signs over one digit": Leak("residual", treated(lambda row: row["id"][:8] + "#" + row["id"][9:])),
    # in the heading
    "a name as a heading": Leak("residual", {people()[3]["name"]: Put(O, written=lambda row: "是" if row["number"] % 2 else "否")}),
    "a record as a heading": Leak("residual", {people()[3]["record"]: Put(O, written=lambda row: "是" if row["number"] % 2 else "否")}),
    # orders that tell
    "rows in the order of the source, begun in the middle": Leak("row_order", {}, {"order": lambda rows: rows[120:] + rows[:120]}),
    "every second row first": Leak("row_order", _WARDS, {"order": lambda rows: rows[::2] + rows[1::2]}),
    "rows in the order of the source, begun in the middle, few alone": Leak("row_order", _WARDS, {"order": lambda rows: rows[120:] + rows[:120]}),
    # what tells rows apart
    "ages in days": Leak("telling", other(lambda row: f"{7000 + row['number'] * 37}", S)),
    "times in seconds since 1970": Leak("telling", other(lambda row: f"{1_700_000_000 + row['number'] * 86_461}", S)),
    "a place and a time in one cell": Leak("telling", other(lambda row: f"东湖区;{row['number'] % 28 + 1}日{row['number'] // 28}时", S)),
    "exact dates beside a class of two": Leak("k", {"性别": Put(Q, written=lambda row: f"{row['sex']}{row['number'] // 2}")}),
    # identifiers in other dress
    "ID numbers in Arabic-Indic digits": Leak("residual", treated(lambda row: "".join(chr(0x660 + int(one)) if one.isdigit() else one for one in row["id"]))),
    "telephone numbers in English words": Leak("residual", treated(lambda row: " ".join(_ENGLISH[int(one)] for one in row["phone"]), "手机")),
    "telephone numbers in Pinyin": Leak("residual", treated(lambda row: "".join(_PINYIN[int(one)] for one in row["phone"]), "手机")),
    "names with pictures between their signs": Leak("residual", treated(lambda row: "\U0001f600".join(row["name"]), "姓名")),
    "names with strokes through their signs": Leak("residual", treated(lambda row: "\u0336".join(row["name"]) + "\u0336", "姓名")),
    "names with the surname last": Leak("residual", treated(lambda row: row["name"][1:] + row["name"][0], "姓名")),
    "ID numbers whose own column holds their MD5 in Base64": Leak("residual", treated(lambda row: base64.b64encode(hashlib.md5(row["id"].encode()).digest()).decode())),
    "telephone numbers by SHA-256 in Base64 for addresses": Leak("residual", treated(lambda row: base64.urlsafe_b64encode(hashlib.sha256(row["phone"].encode()).digest()).decode().rstrip("="), "手机")),
    "row numbers over two columns": Leak("telling", {"排": Put(O, lambda row: f"{row['number'] // 16}"), "座": Put(O, lambda row: f"{row['number'] % 16}")}),
    "row numbers over three columns": Leak("telling", {name: Put(O, lambda row, by=by, of=of: f"{row['number'] // by % of}") for name, by, of in (("层", 1, 6), ("排", 6, 6), ("座", 36, 7))}),
}  # fmt: skip
