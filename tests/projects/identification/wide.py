"""Tables as laboratories export them: a few columns about the person and many measured values."""

from __future__ import annotations

import random

from techniques.identification.checks import id_check_character

from .conftest import Table, id_number

VALUES = [
    "白细胞计数",
    "红细胞计数",
    "血红蛋白",
    "血细胞比容",
    "平均红细胞体积",
    "血小板计数",
    "中性粒细胞百分比",
    "淋巴细胞百分比",
    "单核细胞百分比",
    "嗜酸性粒细胞百分比",
    "葡萄糖",
    "糖化血红蛋白",
    "尿素",
    "肌酐",
    "尿酸",
    "钾",
    "钠",
    "氯",
    "钙",
    "磷",
    "镁",
    "铁",
    "总蛋白",
    "白蛋白",
    "球蛋白",
    "总胆红素",
    "直接胆红素",
    "丙氨酸氨基转移酶",
    "天门冬氨酸氨基转移酶",
    "碱性磷酸酶",
    "谷氨酰转移酶",
    "乳酸脱氢酶",
    "肌酸激酶",
    "总胆固醇",
    "甘油三酯",
    "高密度脂蛋白",
    "低密度脂蛋白",
    "载脂蛋白A1",
    "载脂蛋白B",
    "脂蛋白a",
    "C反应蛋白",
    "降钙素原",
    "血沉",
    "凝血酶原时间",
    "国际标准化比值",
    "纤维蛋白原",
    "D二聚体",
    "促甲状腺激素",
    "游离T3",
    "游离T4",
    "铁蛋白",
    "维生素B12",
    "叶酸",
    "维生素D",
    "同型半胱氨酸",
]
ABOUT = ["姓名", "身份证号", "手机号", "性别", "出生日期"]


def laboratory(values: int, rows: int = 240, seed: int = 5) -> Table:
    """``values`` measured values beside the five columns about the person, whose values are made up."""
    chance = random.Random(seed)
    columns = [*ABOUT, *VALUES[:values]]
    lines, numbers, names = [",".join(columns)], [], []
    for _row in range(rows):
        number = id_number(chance)
        assert number[-1] == id_check_character(number[:17])
        name = chance.choice("赵钱孙李周吴郑王") + chance.choice("伟芳娜敏静强") + chance.choice("平华文斌")
        about = [name, number, f"138{chance.randrange(10**8):08}", chance.choice("男女")]
        about.append(f"{number[6:10]}-{number[10:12]}-{number[12:14]}")
        measured = [f"{abs(chance.gauss(4 + 3 * place, 1 + place)):.1f}" for place in range(values)]
        lines.append(",".join([*about, *measured]))
        numbers.append(number)
        names.append(name)
    return Table(("\n".join(lines) + "\n").encode(), columns, numbers, [], names)
