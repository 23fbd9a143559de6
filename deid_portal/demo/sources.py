"""The tables that the demo's projects are about, and what the hospital's people say of each."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from projects.identification.enums import ColumnRole

from . import hospital, tables

OTHER, SENSITIVE, QUASI = ColumnRole.OTHER, ColumnRole.SENSITIVE, ColumnRole.QUASI

# Whom a row is about stands in each of the hospital's tables in the same columns.
_PERSON = {
    "住址": (QUASI, "address"),
    "民族": (QUASI, "ethnic_group"),
    "出生日期": (QUASI, "birth_date"),
    "性别": (QUASI, "gender"),
}


@dataclass(frozen=True)
class Source:
    """A table of the hospital's. ``verdicts`` say what its columns are where the scan leaves it open; ``person`` has one value a
    person, ``day`` the day of what was noted."""

    title: str
    table: Callable[[int], pa.Table]
    person: str
    day: str
    amount: str
    """The column whose mean the purpose needs."""
    finding: str
    """The column whose distribution the purpose needs."""
    office: str
    noted: str
    """What is noted of a person beside who it is."""
    event: str
    """What one row is."""
    own: Mapping[str, tuple[ColumnRole, str]] = field(default_factory=dict)
    who: str = "患者"
    consent: str = "就诊登记时告知并取得同意；隐私告知第七条承诺用于科研时先去标识化。"

    @property
    def is_treatment(self) -> bool:
        """Collected while patients were treated."""
        return self.consent.startswith("就诊")

    @property
    def notice(self) -> str:
        """The title of the notice that people have signed."""
        return f"{self.title.removesuffix('记录').removesuffix('登记')}隐私告知书"

    @property
    def file_name(self) -> str:
        return f"{self.title}.csv"

    @property
    def verdicts(self) -> dict[str, tuple[ColumnRole, str]]:
        return {**_PERSON, self.day: (QUASI, "event_date"), **self.own}

    @property
    def dispensable(self) -> tuple[str, ...]:
        """The quasi-identifiers that a table of few rows gives up first."""
        return ("住址", "民族", self.day)

    @property
    def utility(self) -> list[dict[str, Any]]:
        return [
            {"kind": "rows_retained", "bound": 0.9},
            {"kind": "suppressed_cells", "bound": 0.15},
            {"kind": "mean_change", "column": self.amount, "bound": 0.05},
            {"kind": "total_variation", "column": self.finding, "bound": 0.05},
        ]

    @property
    def same_person(self) -> str:
        """Why rows with the same value of ``person`` are of one person."""
        return f"一名{self.who}一个{self.person}，{self.event}一行，按{self.who}计数才能反映一个人的风险。"

    def scope(self) -> dict[str, Any]:
        return {
            "policy": f"本院数据分类分级办法：{self.title}属于敏感数据，对外提供须去标识化并经院领导批准。",
            "source": self.consent,
            "business": f"{self.office}按日归集，由信息中心管理，不直接面向外部系统。",
        }

    def factors(self) -> dict[str, Any]:
        return {"personal_information": f"姓名、身份证号、手机号、住址、出生日期、民族、{self.noted}。"}

    def unprepared(self) -> str:
        """Why nothing is prepared."""
        return f"源表由{self.office}按日导出，日期、性别与各类代码均只有一种书写形式，无须规范化；研究需要全部记录，故不抽样。"

    def csv(self, rows: int) -> bytes:
        """The table as a GB18030 file, as such files come."""
        buffer = io.BytesIO()
        hospital.write_csv(self.table(rows), buffer, encoding="gb18030")
        return buffer.getvalue()


_TREATED = {"科室": (OTHER, "department"), "诊断": (SENSITIVE, "diagnosis")}
OUTPATIENT = Source(
    "门诊就诊记录", hospital.generate, "病历号", "就诊日期", "费用", "诊断",
    "门诊信息系统", "就诊与诊断信息", "一次就诊", {**_TREATED, "费用": (SENSITIVE, "fee")},
)  # fmt: skip
FEVER_CLINIC = Source(
    "发热门诊登记", tables.respiratory, "就诊卡号", "就诊日期", "体温", "病原检测",
    "发热门诊登记系统", "体温与病原检测结果", "一次就诊",
    {"体温": (SENSITIVE, ""), "病原检测": (SENSITIVE, "")},
)  # fmt: skip
SETTLEMENT = Source(
    "医保结算记录", tables.settlement, "医保编号", "结算日期", "总费用", "诊断",
    "医保结算系统", "参保、诊断与费用信息", "一次结算",
    {"参保类型": (OTHER, ""), "诊断": (SENSITIVE, "diagnosis"), "总费用": (SENSITIVE, "fee"), "统筹支付": (SENSITIVE, "fee")},
    who="参保人",
)  # fmt: skip
REFERRAL = Source(
    "双向转诊记录", tables.referral, "转诊登记号", "转诊日期", "等待天数", "诊断",
    "转诊平台", "转诊与诊断信息", "一次转诊",
    {**_TREATED, "转出机构级别": (OTHER, ""), "等待天数": (OTHER, "")},
)  # fmt: skip
TRIAGE = Source(
    "急诊分诊记录", tables.triage, "急诊登记号", "到诊日期", "候诊分钟", "主诉",
    "急诊分诊系统", "分诊级别与主诉", "一次到诊",
    {"到诊时段": (OTHER, ""), "分诊级别": (SENSITIVE, ""), "主诉": (SENSITIVE, ""), "候诊分钟": (OTHER, "")},
)  # fmt: skip
FOLLOW_UP = Source(
    "慢性病随访记录", tables.follow_up, "健康档案号", "随访日期", "收缩压", "管理病种",
    "慢性病管理系统", "管理病种、血压与血糖", "一次随访",
    {"管理病种": (SENSITIVE, ""), "收缩压": (SENSITIVE, ""), "空腹血糖": (SENSITIVE, "")},
    consent="建立健康档案时告知并取得同意；隐私告知第七条承诺用于科研时先去标识化。",
)  # fmt: skip
CHECK_UP = Source(
    "职业人群体检记录", tables.check_up, "体检编号", "体检日期", "体重指数", "体检结论",
    "体检中心信息系统", "行业与体检结论", "一次体检",
    {"行业": (OTHER, ""), "体重指数": (SENSITIVE, ""), "体检结论": (SENSITIVE, "")},
    who="受检者",
    consent="体检登记时告知并取得同意；隐私告知第七条承诺用于科研时先去标识化。",
)  # fmt: skip
