"""The tables of the demo's hospital beside its outpatient visits: the same invented persons, and what each office notes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from . import hospital

_WHO = ("姓名", "身份证号", "手机号", "住址", "性别", "出生日期", "民族")
_DAYS_A_YEAR = 365.25


def respiratory(rows: int) -> pa.Table:
    """Visits to the fever clinic, of all ages, with what was found."""
    found, draw = _visits(rows), np.random.default_rng(1)
    return _table(
        found,
        "就诊卡号",
        "JZ",
        {"就诊日期": "就诊日期"},
        {
            "体温": _tenths(draw.normal(37.8, 0.7, rows), 36.0, 41.0),
            "病原检测": _drawn(
                draw,
                rows,
                {
                    "阴性": 46,
                    "甲型流感病毒": 21,
                    "鼻病毒": 11,
                    "乙型流感病毒": 8,
                    "呼吸道合胞病毒": 7,
                    "肺炎支原体": 6,
                    "腺病毒": 1,
                },
            ),
        },
        "备注",
    )


def settlement(rows: int) -> pa.Table:
    """What the health insurance paid of outpatient visits."""
    found, draw = _visits(rows), np.random.default_rng(2)
    total = np.array(found["费用"].cast(pa.float64()))
    share = draw.uniform(0.45, 0.75, rows)
    return _table(
        found,
        "医保编号",
        "YB",
        {"就诊日期": "结算日期"},
        {
            "参保类型": _drawn(draw, rows, {"职工医保": 52, "居民医保": 43, "公费医疗": 5}),
            "诊断": found["诊断"],
            "总费用": found["费用"],
            "统筹支付": pa.array([f"{value:.2f}" for value in total * share]),
        },
    )


def referral(rows: int) -> pa.Table:
    """Referrals from the district's health centres to the hospital."""
    found, draw = _visits(rows), np.random.default_rng(3)
    return _table(
        found,
        "转诊登记号",
        "ZZ",
        {"就诊日期": "转诊日期"},
        {
            "转出机构级别": _drawn(draw, rows, {"社区卫生服务中心": 48, "乡镇卫生院": 23, "二级医院": 29}),
            "科室": found["科室"],
            "诊断": found["诊断"],
            "等待天数": pa.array(draw.poisson(4, rows)).cast(pa.string()),
        },
        "备注",
    )


def triage(rows: int) -> pa.Table:
    """Arrivals at the emergency department."""
    found, draw = _visits(rows), np.random.default_rng(4)
    return _table(
        found,
        "急诊登记号",
        "JD",
        {"就诊日期": "到诊日期"},
        {
            "到诊时段": _drawn(draw, rows, {"夜间": 21, "上午": 27, "下午": 25, "晚间": 27}),
            "分诊级别": _drawn(draw, rows, {"一级": 2, "二级": 11, "三级": 47, "四级": 40}),
            "主诉": _drawn(
                draw,
                rows,
                {
                    "腹痛": 21,
                    "发热": 20,
                    "外伤": 18,
                    "胸痛": 13,
                    "头晕": 12,
                    "呼吸困难": 9,
                    "过敏": 5,
                    "中毒": 2,
                },
            ),
            "候诊分钟": pa.array(draw.poisson(35, rows)).cast(pa.string()),
        },
        "备注",
    )


def follow_up(rows: int) -> pa.Table:
    """Follow-ups of persons with a chronic disease, from 35 years on."""
    found, draw = _visits(rows, 35, 120), np.random.default_rng(5)
    return _table(
        found,
        "健康档案号",
        "JK",
        {"就诊日期": "随访日期"},
        {
            "管理病种": _drawn(draw, rows, {"高血压": 55, "2型糖尿病": 26, "高血压合并糖尿病": 19}),
            "收缩压": pa.array(np.rint(draw.normal(138, 15, rows)).astype(int)).cast(pa.string()),
            "空腹血糖": _tenths(draw.normal(7.0, 1.5, rows), 3.5, 18.0),
        },
    )


def check_up(rows: int) -> pa.Table:
    """Check-ups of persons at work, 18 to 65 years old."""
    found, draw = _visits(rows, 18, 65), np.random.default_rng(6)
    return _table(
        found,
        "体检编号",
        "TJ",
        {"就诊日期": "体检日期"},
        {
            "行业": _drawn(
                draw,
                rows,
                {
                    "制造业": 31,
                    "批发和零售业": 19,
                    "教育": 13,
                    "交通运输": 12,
                    "建筑业": 11,
                    "信息技术": 9,
                    "采矿业": 5,
                },
            ),
            "体重指数": _tenths(draw.normal(23.9, 3.2, rows), 15.0, 42.0),
            "体检结论": _drawn(
                draw,
                rows,
                {
                    "未见异常": 44,
                    "血脂偏高": 21,
                    "血压偏高": 16,
                    "血糖偏高": 9,
                    "听力下降": 6,
                    "疑似职业病": 4,
                },
            ),
        },
    )


def _visits(rows: int, youngest: int = 0, oldest: int = 130) -> pa.Table:
    """``rows`` visits of persons who are from ``youngest`` to below ``oldest`` years old at the visit."""
    wanted = rows
    while True:
        found = hospital.generate(wanted)
        day, born = (np.array(found[name], dtype="datetime64[D]") for name in ("就诊日期", "出生日期"))
        age = (day - born).astype(int) / _DAYS_A_YEAR
        fit = found.filter(pa.array((age >= youngest) & (age < oldest)))
        if len(fit) >= rows:
            return fit.slice(0, rows)
        wanted *= 2


def _table(
    found: pa.Table,
    person: str,
    prefix: str,
    named: Mapping[str, str],
    own: Mapping[str, pa.Array],
    *last: str,
) -> pa.Table:
    """Who it is, with the number that the office gave a ``person``, the columns that it names its own way, its own, and ``last``."""
    columns = {name: found[name] for name in _WHO}
    columns[person] = pc.replace_substring(found["病历号"], "SL", prefix)
    columns |= {new: found[old] for old, new in named.items()}
    return pa.table(columns | dict(own) | {name: found[name] for name in last})


def _drawn(draw: np.random.Generator, rows: int, shares: Mapping[str, float]) -> pa.Array:
    weights: npt.NDArray[np.float64] = np.array(list(shares.values()), dtype=np.float64)
    names: Sequence[str] = list(shares)
    return pa.array(names).take(pa.array(draw.choice(len(names), rows, p=weights / weights.sum())))


def _tenths(values: npt.NDArray[np.float64], least: float, most: float) -> pa.Array:
    return pa.array([f"{value:.1f}" for value in np.clip(values, least, most)])
