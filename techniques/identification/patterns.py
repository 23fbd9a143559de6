"""The rules of the rule method (GB/T 37964 5.3.3): how each identifier is written.

A rule knows an identifier three ways: ``prefilter``, an RE2 expression that Arrow runs over a whole
array to leave most values out; ``whole``, an RE2 expression for a value that is nothing else; and
``pattern`` with ``check``, Python's expression for a stretch of a longer text. Boundaries are
look-arounds on digits and Latin letters: a word boundary would not stand between a Chinese
character and a digit, which is exactly where identifiers hide.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property, lru_cache, partial

from techniques.identification import checks, names


class Strength(IntEnum):
    """How much one hit proves by itself."""

    FORM = 1
    """Other codes may be written alike; a share of the column or a person has to decide."""
    SEGMENT = 2
    """Fixed length and number ranges; chance hits are rare."""
    PROVEN = 3
    """A check digit or an unmistakable form."""


_BETWEEN_OTHERS = re.compile(
    r"\(\?<!\[(?P<before>[^\]\[^]+)\]\)(?P<it>.*)\(\?!\[(?P<behind>[^\]\[^]+)\]\)", re.DOTALL
)
"""An expression for what is found between anything but certain signs."""
_LOOKED_AROUND = re.compile(r"\(\?(?:[!=<]|P=)")
"""What RE2 does not have: looking around, and what was found before."""


@dataclass(frozen=True)
class Rule:
    """One identifier's written form. ``check`` sees the match and may refuse it."""

    kind: str
    strength: Strength
    prefilter: str
    pattern: str
    check: Callable[[re.Match[str]], bool] | None = None
    whole: str | None = None
    family: str = "latin"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """``pattern``, ready for use."""
        return re.compile(self.pattern)

    @cached_property
    def bounded(self) -> str | None:
        """``pattern`` for RE2, which Arrow runs over a whole array: what it does not match has no stretch to be checked; None
        where RE2 cannot read it."""
        parts = _BETWEEN_OTHERS.fullmatch(self.pattern)
        if parts is None or _LOOKED_AROUND.search(parts["it"]):
            return None
        return f"(?:^|[^{parts['before']}])(?:{parts['it']})(?:$|[^{parts['behind']}])"


def _alone(expression: str) -> str:
    """What is found between anything but Latin letters and digits."""
    return rf"(?<![0-9A-Za-z])(?P<it>{expression})(?![0-9A-Za-z])"


def _by_text(check: Callable[[str], bool]) -> Callable[[re.Match[str]], bool]:
    return lambda match: check(match.group("it"))


_SEPARATING = re.compile(r"[^0-9Xx]")


def _by_digits(check: Callable[[str], bool]) -> Callable[[re.Match[str]], bool]:
    """``check`` on the digits (and X) without what separates them."""
    return lambda match: check(_SEPARATING.sub("", match.group("it")))


_BETWEEN_GROUPS = re.compile(r"[ .()-]{1,2}")
_MOBILE_GROUPS = {(3, 4, 4), (4, 3, 4), (3, 3, 5), (3, 8), (7, 4), (11,), (3, 5, 3), (4, 4, 3)}


def _is_mobile(match: re.Match[str]) -> bool:
    """Grouped as people write numbers, not a run of separate numbers that happens to fit, nor a decimal."""
    number = match.group("number")
    groups = _BETWEEN_GROUPS.split(number)
    return tuple(map(len, groups)) in _MOBILE_GROUPS and number.count(".") != 1


def _is_hong_kong_card(match: re.Match[str]) -> bool:
    return checks.is_hong_kong_number(match.group("number") + (match.group("check") or match.group("bare")))


def _is_foreign_phone(match: re.Match[str]) -> bool:
    """A number that the country's plan has, by its code in front."""
    import phonenumbers

    digits = re.sub("^(00|[+])", "", re.sub("[^0-9+]", "", match.group("it")))
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{digits}"))
    except phonenumbers.NumberParseException:
        return False


def is_card_number(number: str) -> bool:
    """Whether digits begin and end like a bank card's: UnionPay by prefix, others also by Luhn."""
    if number.startswith("62") and 16 <= len(number) <= 19:
        return True
    return re.fullmatch(CARD_BY_LUHN, number) is not None and checks.luhn(number)


def _is_ipv6(match: re.Match[str]) -> bool:
    text = match.group("it")
    if text.count(":") < 2 or sum(c != ":" for c in text) < 3:
        return False
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


# Issuers' prefixes beside 62: local cards of before UnionPay, and the international schemes.
CARD_BY_LUHN = r"(?:4[0-9]{15}|4[0-9]{18}|5[1-5][0-9]{14}|2[2-7][0-9]{14}|35[0-9]{14}|3[47][0-9]{13}|60[0-9]{14,17}|9[0-9]{15,18})"
_MOBILE = r"1(?:3[0-9]|4[0-9]|5[0-35-9]|6[2567]|7[0-8]|8[0-9]|9[0-9])"
_AREA = "0(?:10|2[0-57-9]|[3-9][0-9]{2})"
_LANDLINE = "(?:[2-8][0-9]{6,7}|(?!20[0-9]{2}[ -])[2-8][0-9]{2,3}[ -][0-9]{4})(?:(?: ?转 ?|-)[0-9]{1,6})?"
"""Seven or eight digits, whole or in two groups, of which the first is no year, and an extension."""
_LABEL_OF_PHONE = "电话|座机|固话|传真|[Tt]el|TEL|[Ff]ax|FAX"
_DAY = "20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_COUNTRY = r"(?:\(?(?:\+|00)?86\)?[ -]?)?"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_PLATE = (
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼](?i:[A-HJ-NP-Z][·• -]?"
    r"(?:[DFABCEGHJK][A-HJ-NP-Z0-9][0-9]{4}|[0-9]{5}[DFABCEGHJK]"
    r"|[A-HJ-NP-Z]{0,2}[0-9][A-HJ-NP-Z0-9]{1,3}[A-HJ-NP-Z0-9挂学警港澳领试]))"
)
_DETAIL = "(?:号|栋|幢|弄|室|单元|组|楼|巷)"
_PERMIT = (
    r"[HM][0-9]{8}(?:[0-9]{2})?|[CW][0-9A-HJ-NP-Z][0-9]{7}|[A-Z]{1,2}[0-9]{6}\([0-9A]\)"
    r"|[157][0-9]{6}\([0-9]\)|[157]/[0-9]{6}/[0-9]"
)
"""Permits to and from Hong Kong, Macao and Taiwan, and the cards of Hong Kong and Macao as they are written."""
_BETWEEN = "[ ._·/-]?"
_ID_TEXT = rf"(?<![0-9])(?P<it>[0-9](?:{_BETWEEN}[0-9]){{16}}{_BETWEEN}[0-9Xx])(?![0-9])"
_ID_PREFILTER = f"[0-9]({_BETWEEN}[0-9]){{16}}{_BETWEEN}[0-9Xx]"

_digits = partial(Rule, family="digits")
_chinese = partial(Rule, family="chinese")

RULES: tuple[Rule, ...] = (
    _digits("id_number", Strength.PROVEN, _ID_PREFILTER, _ID_TEXT, _by_digits(checks.is_id_number)),
    Rule(
        "credit_code",
        Strength.PROVEN,
        "[0-9A-HJ-NPQRTUWXY]{18}",
        _alone("[0-9A-HJ-NPQRTUWXY]{18}"),
        _by_text(checks.is_credit_code),
    ),
    _digits("id_number_like", Strength.SEGMENT, _ID_PREFILTER, _ID_TEXT, _by_digits(checks.is_id_shape)),
    Rule(
        "email",
        Strength.PROVEN,
        "@",
        r"(?<![A-Za-z0-9._%+-])(?P<it>[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})(?![A-Za-z0-9])",
        whole=r"[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,24}",
    ),
    Rule(
        "url",
        Strength.PROVEN,
        r"://|www\.",
        r"(?P<it>(?<![A-Za-z])(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://(?:[^\s<>\"'，。；、）,\u4e00-\u9fff]|,(?=[!-~]))+"
        r"|(?<![A-Za-z0-9.])www\.[A-Za-z0-9-]+\.[^\s<>\"'，。；、）\u4e00-\u9fff]+)",
        whole=r"(?i)((https?|ftp)://|www\.)[^\s]+",
    ),
    Rule(
        "device_id",
        Strength.PROVEN,
        "[0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-]",
        r"(?<![0-9A-Fa-f])(?<!(?<![0-9A-Za-z])[0-9A-Fa-f]{2}[:-])(?P<it>[0-9A-Fa-f]{2}(?P<s>[:-])(?:[0-9A-Fa-f]{2}(?P=s)){4}[0-9A-Fa-f]{2})(?![0-9A-Fa-f:-])",
        whole="([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|([0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}",
    ),
    Rule(
        "ip_address",
        Strength.SEGMENT,
        r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]",
        rf"(?<![0-9.])(?P<it>{_OCTET}(?:\.{_OCTET}){{3}})(?![0-9]|\.[0-9])",
        whole=rf"{_OCTET}(\.{_OCTET}){{3}}",
    ),
    Rule(
        "ip_address",
        Strength.PROVEN,
        "[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:",
        r"(?:(?<![0-9A-Za-z:.])|(?<=[G-Zg-z\u4e00-\u9fff]:)|(?<=[Vv]6:))(?!:[^:])(?P<it>[0-9A-Fa-f:]{2,39}(?::[0-9.]{7,15})?)(?![0-9A-Za-z:])",
        _is_ipv6,
    ),
    _digits(
        "phone",
        Strength.SEGMENT,
        r"1[3-9][0-9]([ .()-]{0,2}[0-9]){8}",
        rf"(?<![0-9A-Za-z.])(?:[A-Za-z]{{1,8}}[:._-]?)?(?P<it>{_COUNTRY}0?\(?(?P<number>{_MOBILE}(?:[ .()-]{{0,2}}[0-9]){{8}})(?:\.0+)?)(?![0-9A-Za-z])",
        _is_mobile,
        whole=rf"(\(?(\+|00)?86\)?[ -]?)?{_MOBILE}([0-9]{{8}}(\.0+)?|[ -][0-9]{{4}}[ -][0-9]{{4}}|\.[0-9]{{4}}\.[0-9]{{4}}|[ -][0-9]{{8}})",
    ),
    Rule(
        "phone",
        Strength.SEGMENT,
        r"(\+|00)[1-9][0-9 ().-]{6}",
        r"(?<![0-9A-Za-z.])(?P<it>(?:\+|00)[1-9](?:[ ().-]{0,2}[0-9]){6,14})(?![0-9])",
        _is_foreign_phone,
    ),
    Rule(
        "phone",
        Strength.FORM,
        r"1[3-9](,[0-9]{3}){3}|1\.[3-9][0-9]{1,9}[Ee]\+?10",
        _alone(r"1[3-9](?:,[0-9]{3}){3}|1\.[3-9][0-9]{1,9}[Ee]\+?10"),
        whole=r"1[3-9](,[0-9]{3}){3}|1\.[3-9][0-9]{1,9}[Ee]\+?10",
    ),
    Rule(
        "id_number",
        Strength.FORM,
        r"[1-9]\.[0-9]{2,16}[Ee]\+?17",
        _alone(r"(?:[1-6]\.[1-7]|[89]\.[1-3])[0-9]{1,15}[Ee]\+?17"),
        whole=r"([1-6]\.[1-7]|[89]\.[1-3])[0-9]{1,15}[Ee]\+?17",
    ),
    Rule(
        "phone",
        Strength.SEGMENT,
        r"0[0-9]{2,3}[) -]{1,3}[2-8][0-9]{2,3}[ -]?[0-9]{4}",
        rf"(?<![0-9A-Za-z])(?P<it>(?:\+?86[ -]?)?(?:\({_AREA}\)[ -]{{0,2}}|{_AREA}[ -]{{1,2}}){_LANDLINE})(?![0-9])",
        whole=rf"(\({_AREA}\)[ -]{{0,2}}|{_AREA}[ -]{{1,2}})([2-8][0-9]{{6,7}}|[3-8][0-9]{{2,3}}[ -][0-9]{{4}})",
    ),
    Rule(
        "phone",
        Strength.SEGMENT,
        rf"({_LABEL_OF_PHONE})[^0-9]{{0,4}}[0-9]{{3,4}}[ -]?[0-9]{{3,4}}",
        rf"(?:{_LABEL_OF_PHONE})(?:号码?)?[:：. ]{{0,2}}(?P<it>{_AREA}{_LANDLINE}|(?!{_DAY}){_LANDLINE})(?![0-9A-Za-z])",
    ),
    _digits(
        "bank_card",
        Strength.SEGMENT,
        r"[0-9]([ -]?[0-9]){14}",
        r"(?<![0-9A-Za-z.])(?P<it>[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{3,4}(?:[ -]?[0-9]{1,3})?)(?![0-9A-Za-z])",
        _by_digits(is_card_number),
    ),
    _chinese(
        "licence_plate",
        Strength.SEGMENT,
        "[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Za-hj-np-z]",
        rf"(?P<it>{_PLATE})(?![0-9A-Za-z])",
        whole=_PLATE,
    ),
    Rule(
        "vin", Strength.SEGMENT, "[0-9A-HJ-NPR-Z]{17}", _alone("[0-9A-HJ-NPR-Z]{17}"), _by_text(checks.is_vin)
    ),
    _digits("id_number", Strength.FORM, "[0-9]{15}", _alone("[0-9]{15}"), _by_text(checks.is_old_id_number)),
    Rule(
        "id_number",
        Strength.FORM,
        "[A-Z]{3}[0-9]{12}",
        _alone("[A-Z]{3}[0-9]{12}"),
        _by_text(checks.is_old_residence_card),
    ),
    Rule(
        "hk_mo_tw_permit",
        Strength.SEGMENT,
        "[A-Z][12A-D89][0-9]{8}",
        _alone("[A-Z][12A-D89][0-9]{8}"),
        _by_text(checks.is_taiwan_number),
    ),
    Rule(
        "hk_mo_tw_permit",
        Strength.SEGMENT,
        "[A-Z]{1,2}[0-9]{6}[(]?[0-9A]",
        r"(?<![0-9A-Za-z])(?P<it>(?P<number>[A-Z]{1,2}[0-9]{6})(?:\((?P<check>[0-9A])\)|(?P<bare>[0-9A])))(?![0-9A-Za-z])",
        _is_hong_kong_card,
    ),
    _digits(
        "device_id",
        Strength.FORM,
        "(01|35|86|99)[0-9]{13}",
        _alone("(?:01|35|86|99)[0-9]{13}"),
        _by_text(checks.luhn),
    ),
    Rule(
        "passport",
        Strength.FORM,
        "(^|[^0-9A-Za-z])([EeGg][0-9]{8}|E[A-HJ-NP-Z][0-9]{7}|([DSP]|DE|SE|PE)[0-9]{7})",
        _alone("[EeGg][0-9]{8}|E[A-HJ-NP-Z][0-9]{7}|(?:[DSP]|DE|SE|PE)[0-9]{7}"),
        whole="[EeGg][0-9]{8}|E[A-HJ-NP-Z][0-9]{7}|([DSP]|DE|SE|PE)[0-9]{7}",
    ),
    Rule(
        "hk_mo_tw_permit",
        Strength.FORM,
        r"(^|[^0-9A-Za-z])([HMCW][0-9A-Z][0-9]{7}|[A-Z]{1,2}[0-9]{6}[(]|[157][/]?[0-9]{6}[/(][0-9])",
        _alone(_PERMIT),
        whole=_PERMIT,
    ),
    _chinese(
        "messenger",
        Strength.SEGMENT,
        "微信|[Qq][Qq]",
        r"(?:微信|[Qq][Qq])(?:号|号码)?[:： ]{1,2}(?P<it>[A-Za-z0-9_-]{5,20})(?![0-9A-Za-z])",
    ),
    _chinese(
        "person_name",
        Strength.SEGMENT,
        f"{names.LABEL[3:-1].join('()')}[:： 叫]|名字?叫",
        rf"(?:{names.LABEL}(?:[:： ]{{1,2}}|叫)|名字?叫)(?P<it>{names.SPACED_NAME}|{names.SURNAME}{names.GIVEN}{{1,2}}?{names.AFTER_NAME})",
    ),
    _chinese(
        "person_name",
        Strength.SEGMENT,
        f"{names.LABEL_OF_NAME[3:-1].replace('(?<![A-Za-z])', '').join('()')} ?[:：]",
        rf"{names.LABEL_OF_NAME} ?[:：] ?(?!{names.SAID_FOR_NONE})(?P<it>{names.IN_NAME}{{1,10}}(?:[·•‧・]{names.IN_NAME}{{1,10}}){{1,3}}"
        rf"|{names.SPACED_NAME}|{names.LATIN_NAME}|{names.IN_NAME}{{2,4}}?{names.AFTER_NAME}|{names.SURNAME}{names.IN_NAME}{{2}})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        "先生|女士|小姐",
        rf"(?<!{names.HAN})(?P<it>{names.SURNAME}{names.GIVEN}{{1,2}})(?=先生|女士|小姐)",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"[由经].{{2,8}}{names.WRITES.replace('?:', '')}",
        rf"[由经](?P<it>{names.BORNE})(?={names.PROFESSION}?{names.WRITES})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"医师|医生|护士|主任|麻醉师|{names.LABEL_OF_STAFF.replace('?:', '')}[ :：]",
        rf"(?:医师|医生|护士长?|主任|麻醉师|{names.LABEL_OF_STAFF}(?=[ :：]))[ :：]{{0,2}}(?P<it>{names.BORNE})(?={names.PROFESSION}|{names.WRITES}|[^〇\u3400-\u9fff]|$)",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        "(患者|病人|患儿|家属|父亲|母亲|丈夫|妻子|儿子|女儿).{2,5}(诉|自述|因|来院|来诊|入院|出院|复诊|就诊|[ ,、]{1,2}[男女])",
        rf"(?:患者|病人|患儿|家属|父亲|母亲|丈夫|妻子|儿子|女儿) {{0,2}}(?P<it>{names.BORNE})"
        r"(?=自?诉|自述|因|来院|来诊|入院|出院|复诊|就诊|[ ,，、]{1,2}[男女](?!性|方))",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"签[字名署]|{names.TODAY.replace('?:', '')}.{{0,4}}(诉|来院|来诊|入院|出院|复诊|就诊|随访)|.{{2,4}}[ ,，:：]{{0,2}}1[3-9][0-9]{{9}}",
        rf"(?<!{names.HAN})(?P<it>{names.BORNE})(?={names.SIGNS}"
        rf"|{names.TODAY}.{{0,2}}(?:自?诉|自述|来院|来诊|入院|出院|复诊|就诊|随访)|[ ,，:：]{{0,2}}1[3-9][0-9]{{9}}(?![0-9]))",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        names.PROFESSION.replace("?:", ""),
        rf"(?:(?<!{names.HAN})|(?<=[与和跟向请找给对]))(?P<it>{names.BORNE})(?=[（(]?{names.PROFESSION})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        "|".join(names.CERTAIN_SURNAMES),
        rf"(?P<it>{names.CERTAIN_NAME})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"{names.LABEL_OF_STAFF.replace('?:', '')}[:：] ?{names.SINGLE_SURNAME} ",
        rf"{names.LABEL_OF_STAFF}[:：] ?(?P<it>{names.NAME_WITH_BLANK})(?!{names.HAN})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"{names.ADDRESSED.replace('?:', '')}[{names.FIRST_SIGNS}]",
        rf"{names.ADDRESSED}(?P<it>{names.BORNE_WHOLE}{names.NO_PLACE}|{names.BORNE}(?=[，。；、！,.;!)）]|$))",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"建议[{names.FIRST_SIGNS}]",
        names.ADVISED,
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"[与和跟向对请找][{names.FIRST_SIGNS}].{{1,3}}{names.SPEAKS_WITH.replace('?:', '')}",
        rf"(?<=[与和跟向对请找])(?!(?<=和)田玉{names.SPEAKS_WITH})(?P<it>{names.BORNE})(?={names.SPEAKS_WITH})",
    ),
    _chinese(
        "person_name",
        Strength.FORM,
        f"[{names.FIRST_SIGNS}].{{2,3}}({names.RELATIVE.replace('?:', '')}|{names.SPEAKS.replace('?:', '')})",
        rf"(?<!{names.HAN})(?P<it>{names.BORNE_WHOLE})(?={names.RELATIVE}|{names.SPEAKS})",
    ),
    Rule(
        "address",
        Strength.SEGMENT,
        f"(省|市|区|县|旗|州).*[0-9一二三四五六七八九十]{_DETAIL.replace('?:', '')}",
        rf"(?P<it>(?:{names.HAN}{{2,7}}?(?:省|自治区|市|自治州|区|县|旗)){{1,4}}{names.HAN}{{1,12}}?"
        rf"(?:路|街|道|巷|弄|村|镇|乡|小区|花园|社区|家园)[\u4e00-\u9fff0-9A-Za-z#-]{{0,24}}[0-9一二三四五六七八九十]{{1,5}}{_DETAIL})",
        family="address",
    ),
)
"""In order of precedence: where two rules match overlapping text, the earlier one wins."""


@lru_cache(maxsize=1)
def rules_version() -> str:
    """What names the set of rules in use: the beginning of the hash of everything they are written as."""
    text = "\n".join(
        " ".join(str(value) for f in fields(rule) if not callable(value := getattr(rule, f.name)))
        for rule in RULES
    )
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _union(family: str) -> str:
    return "|".join(sorted({rule.prefilter for rule in RULES if rule.family == family}))


GATES: dict[str, str] = {
    "digits": "[0-9]([ ._·/()-]{0,2}[0-9]){9}",
    "latin": _union("latin"),
    "chinese": _union("chinese"),
    "address": _union("address"),
}
"""A first test (RE2) for each family of rules: a value without a match holds nothing of the family.
The families are apart because one expression for all outgrows RE2's fast automaton."""

ASCII_WHOLE = "|".join(f"(?:{rule.whole})" for rule in RULES if rule.whole and rule.family != "chinese")
"""A first test (RE2) of ASCII values: one without a match is nothing that a rule knows as a whole."""

PLAIN_VALUE = (
    r"[-+]?[0-9]{1,6}(\.[0-9]+)?|[-+]?[0-9]{1,9}\.[0-9]{1,6}|[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?|[A-Za-z*_-]+"
)
"""Values (RE2, ASCII) that are quickly known to hold no identifier: short numbers, amounts, words."""

DATE_WHOLE = (
    r"(18|19|20)[0-9]{2}[-/.年](0?[1-9]|1[0-2])([-/.月](0?[1-9]|[12][0-9]|3[01])日?)?月?([ T][0-9:.]{4,15}(Z|[+-][0-9:]{4,6})?)?"
    r"|(18|19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
)
REGION_WHOLE = "[\u4e00-\u9fff]{1,16}(省|市|自治区|自治州|盟|区|县|旗|街道|镇|乡|地区)"
ADDRESS_WHOLE = "[\u4e00-\u9fff0-9]*(省|市|自治区|州|区|县|旗|镇|乡)[^*]*(路|街|道|巷|弄|村|组|镇|乡|号|小区|花园|家园|大厦|公寓|栋|幢|室)[^*]*"
