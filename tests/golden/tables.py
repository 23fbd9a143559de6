"""Small tables with Chinese columns and missing values, the same bytes each time."""

from __future__ import annotations

import random
from datetime import date, timedelta

PLACES = {
    "110101": "北京市东城区", "110108": "北京市海淀区", "310104": "上海市徐汇区", "310115": "上海市浦东新区",
    "440106": "广东省广州市天河区", "440305": "广东省深圳市南山区", "510104": "四川省成都市锦江区",
    "510107": "四川省成都市武侯区",
}  # fmt: skip
DIAGNOSES = ["高血压病", "2型糖尿病", "肺炎", "慢性胃炎", "冠心病", "脑梗死", "湿疹", "痛风"]
DEPARTMENTS = ["心血管内科", "内分泌科", "呼吸科", "消化内科"]
REMARKS = [
    "复查，病情平稳",
    "医保已结算",
    "改约请致电13800138000",
    "家属：王小丽，电话13912345678",
    "建议两周后复诊",
]
EDUCATION = ["小学", "初中", "高中", "大专", "本科", "硕士"]
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def patients(rows: int = 240, seed: int = 11) -> list[dict[str, str]]:
    """One row a patient; some cells of each column that is no key are empty."""
    chance = random.Random(seed)
    made = []
    for _row in range(rows):
        place = chance.choice(list(PLACES))
        born = date(1940, 1, 1) + timedelta(days=chance.randrange(24_000))
        sex = chance.choice("男女")
        name = chance.choice("赵钱孙李周吴郑王陈杨") + chance.choice(
            ["伟", "芳", "秀英", "敏", "静", "志强", "磊"]
        )
        visit = date(2024, 1, 1) + timedelta(days=chance.randrange(600))
        age = 2025 - born.year
        one = {
            "病历号": f"BL{chance.randrange(rows * 2 // 3):06}",
            "姓名": name,
            "身份证号": id_number(place, born, chance.randrange(500) * 2 + (sex == "男")),
            "手机号": f"1{chance.choice('3578')}{chance.randrange(10**9):09}",
            "银行卡号": card_number(f"622202{chance.randrange(10**9):09}"),
            "性别": sex,
            "出生日期": born.isoformat(),
            "年龄": str(age),
            "住址": f"{PLACES[place]}中山路{chance.randrange(1, 300)}号",
            "民族": chance.choice(["汉族"] * 8 + ["回族", "满族"]),
            "学历": chance.choice(EDUCATION),
            "就诊日期": visit.isoformat(),
            "科室": chance.choice(DEPARTMENTS),
            "诊断": chance.choice(DIAGNOSES[: 3 + chance.randrange(6)]),
            "费用": f"{chance.lognormvariate(6, 0.8):.2f}",
            "收入": str(3000 + 100 * chance.randrange(200) + 50 * age),
            "纬度": f"{31.2 + chance.random() / 5:.6f}",
            "经度": f"{121.4 + chance.random() / 5:.6f}",
            "备注": chance.choice(["", "", *REMARKS]),
        }
        for column in ("手机号", "性别", "民族", "学历", "诊断", "费用", "收入", "就诊日期"):
            if chance.random() < 0.03:
                one[column] = ""
        made.append(one)
    return made


def visits(rows: int = 300, seed: int = 12) -> list[dict[str, str]]:
    """Visits of the patients: ``患者`` refers to their ``病历号``; some belong to nobody."""
    chance = random.Random(seed)
    numbers = [one["病历号"] for one in patients()] + ["BL999998", "BL999999"]
    return [
        {
            "患者": chance.choice(numbers),
            "就诊日期": (date(2024, 1, 1) + timedelta(days=chance.randrange(600))).isoformat(),
            "诊断": chance.choice(["", *DIAGNOSES]),
            "费用": f"{chance.lognormvariate(6, 0.8):.2f}",
        }
        for _row in range(rows)
    ]


def csv(rows: list[dict[str, str]], *columns: str) -> str:
    """The rows as CSV with the ``columns`` only, or all; no cell needs quotes."""
    kept = columns or tuple(rows[0])
    return "".join(",".join(line) + "\n" for line in [kept, *([one[c] for c in kept] for one in rows)])


def id_number(place: str, born: date, order: int) -> str:
    """A number by GB 11643 with a right check character, of nobody."""
    body = f"{place}{born:%Y%m%d}{order:03}"
    remainder = sum(int(digit) * weight for digit, weight in zip(body, _WEIGHTS, strict=True)) % 11
    return body + "10X98765432"[remainder]


def card_number(body: str) -> str:
    """``body`` with a check digit by Luhn."""
    doubled = [int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(body))]
    return body + str(-sum(sum(divmod(number, 10)) for number in doubled) % 10)
