"""Made-up Chinese names: common family names with common given names, in a fixed order."""

from __future__ import annotations

SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚玲桂英华建文辉力健永红新春梅海云波宁峰玉"
CAPACITY = len(SURNAMES) * len(GIVEN) * (len(GIVEN) + 1)
_STRIDE = 65_537
"""Prime and no divisor of the capacity: neighbouring numbers give names that have nothing in common."""


def name(number: int) -> str:
    """The name with a number from 0 to ``CAPACITY`` - 1; different numbers have different names."""
    number, surname = divmod(number * _STRIDE % CAPACITY, len(SURNAMES))
    first, second = divmod(number, len(GIVEN) + 1)
    return SURNAMES[surname] + GIVEN[first] + (GIVEN + "\0")[second].strip("\0")
