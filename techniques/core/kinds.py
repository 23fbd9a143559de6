"""The vocabulary of identifier kinds: what a column can hold, its usual role and what it is treated by.

The first two groups are the lists of GB/T 37964-2019 3.7 (direct identifiers) and 3.8
(quasi-identifiers); the third holds what Chinese tables commonly carry besides. A role here is
only the usual one: whether something identifies directly depends on the context (3.6), so a
person decides and may depart from it with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import _


class Identifier(StrEnum):
    """The kinds whose treatments GB/T 37964 C.2.1 to C.2.8 lists."""

    NAME = "name"
    ID_NUMBER = "id_number"
    BANK_CARD = "bank_card"
    ADDRESS = "address"
    PHONE = "phone"
    NUMBER = "number"
    DATE = "date"
    POSITION = "position"

    @property
    def clause(self) -> str:
        """The clause that lists treatments of the kind."""
        return f"C.2.{list(Identifier).index(self) + 1}"


IDENTIFIER_NAMES: dict[Identifier, str] = {
    Identifier.NAME: _("Name"),
    Identifier.ID_NUMBER: _("ID number"),
    Identifier.BANK_CARD: _("Bank card number"),
    Identifier.ADDRESS: _("Address"),
    Identifier.PHONE: _("Telephone number"),
    Identifier.NUMBER: _("Numeric value"),
    Identifier.DATE: _("Date"),
    Identifier.POSITION: _("Geographic position"),
}


NEARLY_EVERY_ROW = 0.95
"""Share of different values from which a column counts as unique (documented in the report)."""


class ColumnSign(StrEnum):
    """What a whole column shows by its values together, whatever each of them looks like."""

    COUNTS = "counts"
    """The values count the rows."""
    UNIQUE = "unique"
    """Few rows share a value; nearly every row has one of its own where the share says so."""
    CODES = "codes"
    """Codes of one form, many of them different: likely a key of persons."""


def _widths(*widths: float) -> Mapping[str, Any]:
    return {"kind": "intervals", "widths": list(widths)}


MINORITIES = (  # noqa: SIM905  a list that people read
    "蒙古 回 藏 维吾尔 苗 彝 壮 布依 朝鲜 满 侗 瑶 白 土家 哈尼 哈萨克 傣 黎 傈僳 佤 畲 高山 拉祜 水 东乡 纳西 景颇 "
    "柯尔克孜 土 达斡尔 仫佬 羌 布朗 撒拉 毛南 仡佬 锡伯 阿昌 普米 塔吉克 怒 乌孜别克 俄罗斯 鄂温克 德昂 保安 裕固 京 "
    "塔塔尔 独龙 鄂伦春 赫哲 门巴 珞巴 基诺"
).split(" ")
"""The 55 minority groups of GB/T 3304, as they are written in registers, without the character 族."""
_STAR: Mapping[str, Any] = {"kind": "star"}
_PERIODS: Mapping[str, Any] = {"kind": "dates", "units": ["month", "year", "decade"]}
_DIVISIONS: Mapping[str, Any] = {"kind": "regions", "units": ["county", "city", "province"], "form": "text"}
_POSTAL: Mapping[str, Any] = {"kind": "mask", "characters": [2, 4], "side": "right"}
_ETHNIC: Mapping[str, Any] = {
    "kind": "table",
    # Each group, with and without its last character, under the majority or the minorities.
    "rows": [
        ["汉族", "汉族", "*"],
        ["汉", "汉族", "*"],
        *([name, "少数民族", "*"] for group in MINORITIES for name in (f"{group}族", group)),
        ["其他", "少数民族", "*"],
        ["外国血统", "少数民族", "*"],
    ],
}


@dataclass(frozen=True)
class Kind:
    """A kind of identifier, with its treatments. Every fact about a kind stands in its row. No other module keeps a
    table by the codes of kinds; who needs another
        fact gives the row another field.
    """

    code: str
    name: str
    """Untranslated."""
    role: AttributeRole
    """The usual one."""
    clause: str
    """The clause of GB/T 37964 that lists the kind; empty where none does."""
    data_type: DataType = DataType.TEXT
    treated_as: Identifier | None = None
    """The kind of C.2 whose treatments are the usual ones."""
    mask: str = ""
    """The kind by which ``suppression.mask_identifier`` masks it; empty where it knows none."""
    made_up: str = ""
    """The kind by which ``synthesis.identifier`` makes values up that a system under test accepts; empty for none."""
    is_key: bool = False
    """Says whose several rows belong together: a pseudonym keeps that, removal would not."""
    repeats: float | None = None
    """Share of cells with a value that has occurred before, above which persons seem to have several rows; None where
    equal values say nothing of one person."""
    of_person: bool = False
    """Says in every row of a person what the person is: a key of persons tells it, a key of places or goods does not."""
    amount: bool = False
    """Its mean and sum are what it is collected for."""
    interval: float | None = None
    """Width of the intervals in which it may be displayed."""
    hierarchy: Mapping[str, Any] = field(default_factory=lambda: _STAR, hash=False)
    """The definition of a hierarchy to start from."""
    left_out: bool = False
    """No scene has a use for it that would outweigh it."""
    column_sign: ColumnSign | None = None
    """What the whole column shows, for kinds that are not told by single values."""
    seen_as: tuple[str, ...] = ()
    """Kinds that the rules take it for where only the column's name tells which it is."""
    plain_form: bool = False
    """The rules know its form so well that values without it raise doubts about a column's name."""
    no_column_name: bool = False
    """No ordinary name of a column looks like a value of it."""
    example: str = ""
    """A made-up value that the rules find: born in 2099, reserved for documentation, or all zeros."""

    def starting_hierarchy(self) -> dict[str, Any]:
        """The definition of a hierarchy to start from, which the caller may change."""
        return deepcopy(dict(self.hierarchy))


_direct = partial(Kind, role=AttributeRole.DIRECT_IDENTIFIER, clause="3.7")
_quasi = partial(Kind, role=AttributeRole.QUASI_IDENTIFIER, clause="3.8")
_category = partial(_quasi, data_type=DataType.CATEGORY)
_date = partial(_quasi, data_type=DataType.DATE, treated_as=Identifier.DATE, hierarchy=_PERIODS)
_number = partial(_quasi, data_type=DataType.NUMBER, treated_as=Identifier.NUMBER)
_sensitive = partial(Kind, role=AttributeRole.SENSITIVE_ATTRIBUTE, clause="3.10")
_amount = partial(_sensitive, data_type=DataType.NUMBER, treated_as=Identifier.NUMBER, amount=True)
KEY_KINDS = ("record_key", "unique_key")
"""Kinds of columns that tell records apart and say nothing else of anybody."""
_NUMBERS = (*KEY_KINDS, "id_number")

_ALL = (
    # the eighteen of 3.7
    _direct(
        "person_name",
        _("Personal name"),
        repeats=0.5,
        of_person=True,
        treated_as=Identifier.NAME,
        mask="name",
        made_up="name",
        example="联系人：欧阳明",
    ),
    _direct(
        "id_number",
        _("Citizen identity number"),
        repeats=0.001,
        treated_as=Identifier.ID_NUMBER,
        mask="id_number",
        made_up="id_number",
        seen_as=("id_number_like",),
        plain_form=True,
        no_column_name=True,
        example="110101209912310015",
    ),
    _direct("passport", _("Passport number"), repeats=0.001, example="E00000000"),
    _direct("driving_licence", _("Driving licence number"), repeats=0.001, seen_as=_NUMBERS),
    _direct(
        "address",
        _("Address"),
        data_type=DataType.REGION,
        treated_as=Identifier.ADDRESS,
        mask="address",
        made_up="address",
        hierarchy=_DIVISIONS,
        seen_as=("region",),
        example="某省某市某区某路1号",
    ),
    _direct(
        "email",
        _("E-mail address"),
        repeats=0.05,
        mask="email",
        plain_form=True,
        no_column_name=True,
        example="someone@example.com",
    ),
    _direct(
        "phone",
        _("Telephone number"),
        repeats=0.05,
        treated_as=Identifier.PHONE,
        mask="phone",
        no_column_name=True,
        example="139 0000 0000",
    ),
    _direct("fax", _("Fax number"), treated_as=Identifier.PHONE, mask="phone"),
    _direct(
        "bank_card",
        _("Bank card number"),
        repeats=0.05,
        treated_as=Identifier.BANK_CARD,
        mask="bank_card",
        made_up="bank_card",
        seen_as=KEY_KINDS,
        no_column_name=True,
        example="6200 0000 0000 0000",
    ),
    _direct("licence_plate", _("Vehicle licence plate"), example="京A00000"),
    _direct("vin", _("Vehicle identification number"), example="LSVAA00A100000001"),
    _direct("social_security", _("Social insurance number"), repeats=0.001, seen_as=_NUMBERS),
    _direct("health_card", _("Health card number"), repeats=0.001, is_key=True, seen_as=_NUMBERS),
    _direct("medical_record", _("Medical record number"), repeats=0.001, is_key=True, seen_as=KEY_KINDS),
    _direct(
        "device_id", _("Device identifier"), repeats=0.05, seen_as=KEY_KINDS, example="00:00:5E:00:53:AF"
    ),
    _direct("biometric", _("Biometric code"), left_out=True),
    _direct("ip_address", _("IP address"), plain_form=True, example="192.0.2.17"),
    _direct("url", _("Web address (URL)"), plain_form=True, example="https://www.example.com/a"),
    # 3.8
    _category("gender", _("Gender"), of_person=True),
    _date("birth_date", _("Date of birth"), seen_as=("date",), of_person=True),
    _number("age", _("Age"), interval=10.0, hierarchy=_widths(5, 10, 20)),
    _date("event_date", _("Date of an event"), seen_as=("date",)),
    _date("date", _("Date")),
    _quasi(
        "region",
        _("Place or region"),
        data_type=DataType.REGION,
        treated_as=Identifier.ADDRESS,
        hierarchy=_DIVISIONS,
    ),
    _quasi("postal_code", _("Postal code"), data_type=DataType.REGION, hierarchy=_POSTAL),
    _quasi("ancestry", _("Ancestry")),
    _quasi("birth_country", _("Country of birth"), data_type=DataType.REGION, seen_as=("region",)),
    _category("language", _("Language")),
    _quasi("indigenous", _("Indigenous identity")),
    _category("ethnic_group", _("Ethnic group"), hierarchy=_ETHNIC, of_person=True),
    _category("occupation", _("Occupation")),
    _category("marital_status", _("Marital status"), of_person=True),
    _category("education", _("Level of education")),
    _number("school_years", _("Years of schooling"), interval=3.0, hierarchy=_widths(3, 6)),
    _quasi("criminal_record", _("Criminal record")),
    _number(
        "income", _("Total income"), amount=True, interval=10_000.0, hierarchy=_widths(1000, 10_000, 100_000)
    ),
    _category("religion", _("Religion")),
    # what Chinese tables carry besides
    _direct(
        "id_number_like",
        _("Identity number with a wrong check digit"),
        repeats=0.001,
        treated_as=Identifier.ID_NUMBER,
        mask="id_number",
        made_up="id_number",
        no_column_name=True,
        example="110101209912310010",
    ),
    _direct(
        "hk_mo_tw_permit", _("Hong Kong, Macao or Taiwan permit number"), repeats=0.001, example="H00000000"
    ),
    _direct("credit_code", _("Unified social credit code"), plain_form=True, example="91110000000000000E"),
    _direct("messenger", _("Messenger account (WeChat, QQ)"), repeats=0.05, example="微信：example_id"),
    _direct("student_number", _("Student number"), repeats=0.001, is_key=True, seen_as=KEY_KINDS),
    _direct("staff_number", _("Staff number"), repeats=0.01, is_key=True, seen_as=KEY_KINDS),
    _direct("account_name", _("User account"), repeats=0.01, treated_as=Identifier.NAME, seen_as=KEY_KINDS),
    _direct("insurance_number", _("Medical insurance number"), repeats=0.001, is_key=True, seen_as=_NUMBERS),
    _direct("photo", _("Photograph"), left_out=True),
    _direct(
        "row_number",
        _("Row number"),
        clause="5.5.2",
        column_sign=ColumnSign.COUNTS,
        seen_as=KEY_KINDS,
        example="1, 2, 3, …",
    ),
    _direct(
        "record_key",
        _("Key of a person or record"),
        repeats=0.01,
        clause="5.3.4",
        is_key=True,
        column_sign=ColumnSign.CODES,
    ),
    _direct(
        "unique_key",
        _("Key that is unique in nearly every row"),
        repeats=0.01,
        clause="5.3.4",
        column_sign=ColumnSign.UNIQUE,
    ),
    _quasi(
        "unique_value",
        _("Value that few rows share"),
        clause="5.3.4",
        column_sign=ColumnSign.UNIQUE,
    ),
    _quasi("coordinates", _("Geographic coordinates"), treated_as=Identifier.POSITION),
    _quasi("workplace", _("Workplace or school"), hierarchy=_DIVISIONS, seen_as=("region",)),
    _category("household_type", _("Type of household registration")),
    _sensitive("diagnosis", _("Diagnosis or disease"), data_type=DataType.CATEGORY),
    _sensitive("medication", _("Medication or treatment"), data_type=DataType.CATEGORY),
    _amount("lab_result", _("Test result")),
    _amount("fee", _("Fee or amount")),
    _amount("account_balance", _("Account balance or transaction")),
    _sensitive("credit_rating", _("Credit rating"), data_type=DataType.CATEGORY),
    _sensitive("political_status", _("Political status"), data_type=DataType.CATEGORY),
    _sensitive("sexual_orientation", _("Sexual orientation")),
    _sensitive("genetic", _("Genetic data"), left_out=True),
    _sensitive("trajectory", _("Movements and tracks")),
    _sensitive("password", _("Password or secret"), left_out=True),
    Kind("department", _("Department"), AttributeRole.OTHER, "", data_type=DataType.CATEGORY),
    Kind("free_text", _("Free text"), AttributeRole.OTHER, "5.3.3"),
)

KINDS: dict[str, Kind] = {kind.code: kind for kind in _ALL}

DIRECT_IDENTIFIERS_OF_3_7: tuple[str, ...] = tuple(kind.code for kind in _ALL[:18])
"""The codes of the eighteen direct identifiers that the standard's note lists."""


def kind_of(code: str) -> Kind:
    """The row of ``code``; for a kind that is not in the vocabulary, such as an organisation's own, one without facts."""
    return KINDS.get(code) or Kind(code, code, AttributeRole.OTHER, "")


def role_of(kind: str) -> AttributeRole:
    """The usual role of ``kind``; :attr:`AttributeRole.OTHER` for a kind that is not in the vocabulary."""
    return kind_of(kind).role
