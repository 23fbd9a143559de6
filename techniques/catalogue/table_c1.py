"""Table C.1 of GB/T 37964-2019: what each technique does and does not give.

Where the printed table is unreadable the value follows ISO/IEC 20889, its source, and is listed in
``uncertain``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """How far a risk is reduced."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Cost(StrEnum):
    """Cost class of Table C.1."""

    LOW = "low"
    LOW_TO_MEDIUM = "low_to_medium"
    MEDIUM = "medium"
    MEDIUM_TO_HIGH = "medium_to_high"
    HIGH = "high"


@dataclass(frozen=True)
class Properties:
    """One row of Table C.1."""

    row: str
    """Name of the row in the standard's own language."""
    truthful: bool
    """Every record of the result is true of its subject."""
    data_types: str
    """``all``, ``continuous``, ``ordered``, ``categorical`` or ``n/a``."""
    attributes: str
    """``all``, ``direct``, ``quasi``, ``identifying``, ``local`` or ``n/a``."""
    singling_out: Effect
    linking: Effect
    inference: Effect
    cost: Cost
    uncertain: tuple[str, ...] = ()


YES, PARTLY, NO = Effect.YES, Effect.PARTLY, Effect.NO

TABLE_C1: dict[str, Properties] = {
    "sampling": Properties(
        "抽样", True, "n/a", "n/a", PARTLY, PARTLY, PARTLY, Cost.LOW, ("data_types", "attributes")
    ),
    "aggregation": Properties(
        "聚合", False, "continuous", "all", YES, YES, YES, Cost.LOW_TO_MEDIUM, ("truthful", "inference")
    ),
    "deterministic_encryption": Properties("确定性加密", True, "all", "all", NO, PARTLY, NO, Cost.MEDIUM),
    "order_preserving_encryption": Properties("保序加密", True, "all", "all", NO, PARTLY, NO, Cost.MEDIUM),
    "homomorphic_encryption": Properties("同态加密", True, "all", "all", NO, NO, NO, Cost.HIGH),
    "format_preserving_encryption": Properties("保留格式加密", True, "all", "all", NO, NO, NO, Cost.HIGH),
    "secret_sharing": Properties("同态秘密共享", True, "all", "all", NO, NO, NO, Cost.HIGH),
    "noise": Properties("噪声添加", False, "continuous", "identifying", PARTLY, PARTLY, PARTLY, Cost.LOW),
    "permutation": Properties(
        "置换", False, "all", "identifying", PARTLY, PARTLY, PARTLY, Cost.MEDIUM, ("cost",)
    ),
    "microaggregation": Properties("微聚集", False, "continuous", "all", NO, PARTLY, PARTLY, Cost.MEDIUM),
    "synthesis": Properties(
        "数据合成", False, "all", "all", YES, YES, YES, Cost.LOW_TO_MEDIUM, ("truthful", "inference")
    ),
    "masking": Properties("屏蔽", True, "categorical", "local", YES, PARTLY, NO, Cost.LOW, ("singling_out",)),
    "local_suppression": Properties(
        "局部抑制", True, "categorical", "identifying", PARTLY, PARTLY, PARTLY, Cost.LOW
    ),
    "record_suppression": Properties(
        "记录抑制", True, "n/a", "n/a", PARTLY, PARTLY, PARTLY, Cost.LOW, ("data_types", "attributes")
    ),
    "pseudonymisation": Properties(
        "假名化", True, "categorical", "direct", NO, PARTLY, NO, Cost.LOW_TO_MEDIUM
    ),
    "rounding": Properties(
        "取整", True, "continuous", "identifying", NO, PARTLY, PARTLY, Cost.LOW, ("truthful",)
    ),
    "top_bottom_coding": Properties(
        "顶层与底层编码", True, "ordered", "identifying", NO, PARTLY, PARTLY, Cost.LOW, ("truthful",)
    ),
    "differential_privacy": Properties(
        "差分隐私模型", False, "all", "identifying", YES, YES, PARTLY, Cost.MEDIUM_TO_HIGH
    ),
    "k_anonymity": Properties("K-匿名", True, "all", "quasi", YES, PARTLY, NO, Cost.HIGH),
}
"""Rows by our own key. Plain generalisation (泛化) has no row of its own: its effect is that of the model
in which it is used."""
