"""Safe results, as recipes really write them: the gate passes every one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from techniques.core.attributes import AttributeRole
from tests.truth.released import ROLES, patients, released, step, stopped_by

_AGES = {"kind": "intervals", "widths": [10, 20]}
_PLACES = {"kind": "regions", "units": ["city", "province"], "form": "text"}
_MODEL = {"k": 5, "suppression_limit": 0.05, "hierarchies": {"性别": {"kind": "star"}, "年龄": _AGES}}


def _model(technique: str = "k_anonymity", **more: Any) -> dict[str, Any]:
    return step(f"model.{technique}", "性别", "年龄", **{**_MODEL, **more})


_MADE_UP = {
    "身份证号": "id_number",
    "银行卡": "bank_card",
    "手机": "phone",
    "姓名": "name",
    "住址": "address",
}
_RATINGS = {"性别": "男|女", "年龄": "0..120", "费用": "0..5000", "诊断": "流感|肺炎|哮喘|胃炎|骨折"}
CASES: dict[str, tuple[str, list[Mapping[str, Any]], Mapping[str, Any]]] = {
    # made-up values
    **{
        f"made-up {kind}": (f"{column} 诊断", [step("synthesis.identifier", column, kind=kind)], {})
        for column, kind in _MADE_UP.items()
    },
    "names of a dictionary": ("姓名 诊断", [step("pseudonymization.name_dictionary", "姓名")], {}),
    "a name of its own for each": (
        "姓名 诊断",
        [step("pseudonymization.name_dictionary", "姓名", mode="one_to_one", size=2000)],
        {},
    ),
    "names of one's own list": (
        "姓名 诊断",
        [step("pseudonymization.name_dictionary", "姓名", names=["阿大", "阿二", "阿三", "阿四"])],
        {},
    ),
    "every made-up kind at once": (
        " ".join([*_MADE_UP, "诊断"]),
        [step("synthesis.identifier", column, kind=kind) for column, kind in _MADE_UP.items()],
        {},
    ),
    # pseudonyms and ciphertexts
    "keyed hash": ("病历号 诊断", [step("pseudonymization.keyed_hash", "病历号")], {}),
    "keyed hash of ID numbers, digits": (
        "身份证号 诊断",
        [step("pseudonymization.keyed_hash", "身份证号", alphabet="digits", length=30)],
        {},
    ),
    "random pseudonym": ("病历号 诊断", [step("pseudonymization.random", "病历号")], {}),
    "random pseudonym of phones": (
        "手机 诊断",
        [step("pseudonymization.random", "手机", length=10, alphabet="digits", prefix="1")],
        {},
    ),
    "deterministic encryption": ("病历号 诊断", [step("encryption.deterministic", "病历号")], {}),
    "encrypted names": ("姓名 诊断", [step("encryption.deterministic", "姓名", encoding="base32")], {}),
    "encrypted ID numbers": ("身份证号 诊断", [step("encryption.identifier", "身份证号", kind="id_number")], {}),
    "encrypted cards": ("银行卡 诊断", [step("encryption.identifier", "银行卡", kind="bank_card")], {}),
    "encrypted phones": ("手机 诊断", [step("encryption.format_preserving", "手机", keep_left=3)], {}),
    "secret shares of fees": ("性别 费用", [step("encryption.secret_sharing", "费用", holder=1)], {}),
    "order-preserving fees": (
        "性别 费用",
        [step("encryption.order_preserving", "费用", minimum=0, maximum=10_000_000)],
        {},
    ),
    "sums of encrypted fees": ("性别 费用", [step("encryption.homomorphic", "费用", decimals=0)], {}),
    # masks and removals
    "identifiers removed": (
        "姓名 身份证号 性别 诊断",
        [step("suppression.remove_column", "姓名", "身份证号")],
        {},
    ),
    "names masked": ("姓名 诊断", [step("suppression.mask_identifier", "姓名", kind="name")], {}),
    "ID numbers masked": ("身份证号 诊断", [step("suppression.mask", "身份证号", keep_left=2)], {}),
    "phones masked": ("手机 诊断", [step("suppression.mask", "手机", keep_left=3)], {}),
    "the same stars for all": ("姓名 诊断", [step("suppression.mask", "姓名", keep_length=False)], {}),
    "texts redacted": ("备注 诊断", [step("suppression.redact_text", "备注")], {}),
    # models
    "k-anonymity": ("性别 年龄 诊断", [_model()], {}),
    "k-anonymity by local recoding": ("性别 年龄 诊断", [_model(recoding="local")], {}),
    "suppressed rows kept as stars": ("性别 年龄 诊断", [_model(suppressed_rows="star")], {}),
    "l-diversity": ("性别 年龄 诊断", [_model("l_diversity", sensitive={"诊断": {"distinct": 3}})], {}),
    "t-closeness": ("性别 年龄 诊断", [_model("t_closeness", sensitive={"诊断": {"t": 0.5}})], {}),
    "strict average": (
        "性别 年龄 诊断",
        [_model(k=20)],
        {"measure": "strict_average", "average_risk": 0.05, "overall_threshold": 0.05},
    ),
    "public sharing": (
        "性别 年龄 诊断",
        [_model(k=20)],
        {"sharing": "public", "k": 20, "max_risk": 0.05, "overall_threshold": 0.05},
    ),
    "three quasi-identifiers": (
        "性别 年龄 地区 诊断",
        [
            step(
                "model.k_anonymity", "性别", "年龄", "地区",
                **{**_MODEL, "hierarchies": {**_MODEL["hierarchies"], "地区": _PLACES}},
            )
        ],
        {},
    ),
    # without a model
    "intervals": ("性别 年龄 诊断", [step("generalization.intervals", "年龄", width=10)], {}),
    "dates to the year": ("就诊日期 诊断", [step("generalization.date", "就诊日期")], {}),
    "dates to the month": ("就诊日期 诊断", [step("generalization.date", "就诊日期", unit="month")], {}),
    "addresses to the city": ("住址 诊断", [step("generalization.region", "住址")], {}),
    "rare rows removed": (
        "性别 年龄 诊断",
        [
            step("generalization.intervals", "年龄", width=5),
            step("suppression.rare_records", "性别", "年龄", minimum_count=5, maximum_share=0.05),
        ],
        {},
    ),
    "rare combinations emptied": (
        "性别 年龄 诊断",
        [
            step("generalization.intervals", "年龄", width=10),
            step("suppression.rare_combinations", "性别", "年龄", minimum_count=5),
        ],
        {"rows": "one is rare"},
    ),
    "a sample": (
        "性别 年龄 诊断",
        [step("statistical.sampling", "性别", fraction=0.5), step("generalization.intervals", "年龄", width=20)],
        {},
    ),
    "noise on fees": ("性别 费用", [step("randomization.noise", "费用", spread=0.2, unit="deviation")], {}),
    "fees among their neighbours": ("性别 费用", [step("randomization.microaggregation", "费用", k=5)], {}),
    "fees swapped": ("性别 费用", [step("randomization.permutation", "费用")], {}),
    "fees rounded": ("性别 费用", [step("generalization.rounding", "费用", base=1000)], {}),
    # tables of groups
    "means of groups": (
        "性别 地区 费用",
        [step("statistical.aggregation", "性别", "地区", "费用", statistics={"费用": "mean"})],
        {},
    ),
    "counts of groups": (
        "性别 诊断 费用",
        [step("statistical.aggregation", "性别", "诊断", "费用", statistics={"费用": "count"})],
        {},
    ),
    "medians of groups": (
        "地区 费用",
        [step("statistical.aggregation", "地区", "费用", statistics={"费用": "median"})],
        {},
    ),
    "means of age groups in every row": (
        "性别 地区 费用",
        [
            step(
                "statistical.aggregation", "性别", "地区", "费用",
                statistics={"费用": "mean"}, result="replace",
            )
        ],
        {},
    ),
    "sums of capped fees by month": (
        "就诊日期 费用",
        [
            step("generalization.date", "就诊日期", unit="month"),
            step("generalization.top_bottom_coding", "费用", top=3000, result="threshold"),
            step("statistical.aggregation", "就诊日期", "费用", statistics={"费用": "sum"}),
        ],
        {},
    ),
    # further ways
    "dates to the quarter": ("就诊日期 诊断", [step("generalization.date", "就诊日期", unit="quarter")], {}),
    "regions to the province": ("地区 诊断", [step("generalization.region", "地区", unit="province")], {}),
    "records encrypted to letters and digits": (
        "病历号 诊断", [step("encryption.deterministic", "病历号", encoding="base32", domain="a")], {}
    ),
    "a pseudonym that ends with the run": (
        "病历号 诊断", [step("pseudonymization.keyed_hash", "病历号", joinable="never")], {}
    ),
    "a pseudonym of a purpose": (
        "病历号 诊断",
        [step("pseudonymization.keyed_hash", "病历号", joinable="purpose", purpose="study")],
        {},
    ),
    "cards and phones encrypted, names masked": (
        "姓名 手机 银行卡 诊断",
        [
            step("suppression.mask_identifier", "姓名", kind="name"),
            step("encryption.format_preserving", "手机", keep_left=3),
            step("encryption.identifier", "银行卡", kind="bank_card"),
        ],
        {},
    ),
    "fees among twenty neighbours": (
        "性别 费用", [step("randomization.microaggregation", "费用", k=20)], {}
    ),
    "fees capped and rounded": (
        "性别 费用",
        [
            step("generalization.top_bottom_coding", "费用", top=3500, bottom=300, result="threshold"),
            step("generalization.rounding", "费用", base=500),
        ],
        {},
    ),
    "a sample of generalised rows": (
        "性别 年龄 诊断",
        [step("statistical.sampling", "性别", fraction=0.6), step("generalization.intervals", "年龄", width=50)],
        {},
    ),
    "stars in place of rare illnesses": (
        "性别 诊断", [step("suppression.rare_values", "诊断", minimum_count=5)], {}
    ),
    # made-up rows
    "rows made up by trees": (
        "性别 年龄 费用 诊断",
        [step("synthesis.sequential", "性别", "年龄", "费用", "诊断", leaf_rows=20)],
        {},
    ),
    "rows made up from noisy counts": (
        "性别 年龄 费用 诊断",
        [step("synthesis.private", "性别", "年龄", "费用", "诊断", domains=_RATINGS)],
        {},
    ),
    "made-up rows beside pseudonyms": (
        "病历号 性别 年龄 费用",
        [
            step("pseudonymization.keyed_hash", "病历号"),
            step("synthesis.sequential", "性别", "年龄", "费用", leaf_rows=20),
        ],
        {},
    ),
}  # fmt: skip


def _rows(which: str) -> list[dict[str, str]]:
    """The patients, and one woman of an age that nobody else has."""
    return [*patients(), {**patients()[0], "性别": "女", "年龄": "97"}] if which else []


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    columns, steps, more = CASES[name]
    settings = dict(more)
    found = released(columns.split(), *steps, rows=_rows(settings.pop("rows", "")), **settings)
    assert {check.kind: check.plain for check in stopped_by(found)} == {}


@pytest.mark.parametrize(
    ("wards", "months", "named", "enough"),
    [
        (10, 12, "地区 + 诊断", ["地区", "诊断"]),
        # Two rows of a ward are fewer than the five that have to be alike: the ward tells them apart by itself.
        (30, 2, "地区", ["地区"]),
    ],
)
def test_a_row_for_each_month_of_each_ward_asks_for_one_reason(
    wards: int, months: int, named: str, enough: list[str]
) -> None:
    """Whoever knows ward and month has the row: a person has to say why one may stay, and then the table passes."""
    rows = [
        {**row, "地区": f"病区{n // months}", "诊断": f"{n % months + 1}月"}
        for n, row in enumerate(patients()[: wards * months])
    ]
    roles = {**ROLES, "地区": AttributeRole.OTHER, "诊断": AttributeRole.OTHER}
    [check] = stopped_by(released(["地区", "诊断"], rows=rows, roles=roles))
    assert check.plain is not None
    said = [
        check.plain.params["columns"],
        *("".join(map(str, one.params.values())) for one in check.remedies),
    ]
    assert (check.kind, check.measured, said) == ("telling", len(named.split(" + ")), [named, named])
    for name in enough:
        assert not stopped_by(
            released(["地区", "诊断"], rows=rows, roles=roles, exempted={name: "known to nobody"})
        )


def test_the_suite_is_as_large_as_promised() -> None:
    assert len(CASES) >= 40
