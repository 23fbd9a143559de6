"""Table C.1 of GB/T 37964-2019, value by value, and which row each technique is."""

from __future__ import annotations

import pytest

from techniques import catalogue
from techniques.catalogue.table_c1 import TABLE_C1

# Row · truthful · data · attributes · singling out, linking, inference (y prevented, p partly, n not) · cost
PRINTED = """
抽样 y n/a n/a p p p low
聚合 n continuous all y y y low_to_medium
确定性加密 y all all n p n medium
保序加密 y all all n p n medium
同态加密 y all all n n n high
保留格式加密 y all all n n n high
同态秘密共享 y all all n n n high
屏蔽 y categorical local y p n low
局部抑制 y categorical identifying p p p low
记录抑制 y n/a n/a p p p low
假名化 y categorical direct n p n low_to_medium
取整 y continuous identifying n p p low
顶层与底层编码 y ordered identifying n p p low
噪声添加 n continuous identifying p p p low
置换 n all identifying p p p medium
微聚集 n continuous all n p p medium
数据合成 n all all y y y low_to_medium
差分隐私模型 n all identifying y y p medium_to_high
K-匿名 y all quasi y p n high
"""
LETTERS = {"yes": "y", "partly": "p", "no": "n"}
ROWS = {
    "statistical.sampling": "抽样",
    "statistical.aggregation": "聚合",
    "encryption.deterministic": "确定性加密",
    "encryption.order_preserving": "保序加密",
    "encryption.homomorphic": "同态加密",
    "encryption.format_preserving": "保留格式加密",
    "encryption.identifier": "保留格式加密",
    "encryption.secret_sharing": "同态秘密共享",
    "suppression.remove_column": "屏蔽",
    "suppression.mask": "屏蔽",
    "suppression.mask_identifier": "屏蔽",
    "suppression.redact_text": "屏蔽",
    "suppression.rare_values": "局部抑制",
    "suppression.rare_combinations": "局部抑制",
    "suppression.rare_records": "记录抑制",
    "pseudonymization.keyed_hash": "假名化",
    "pseudonymization.random": "假名化",
    "pseudonymization.name_dictionary": "假名化",
    "synthesis.identifier": "假名化",
    "generalization.rounding": "取整",
    "generalization.controlled_rounding": "取整",
    "generalization.top_bottom_coding": "顶层与底层编码",
    "randomization.noise": "噪声添加",
    "randomization.correlated_noise": "噪声添加",
    "randomization.date_noise": "噪声添加",
    "randomization.date_shift": "噪声添加",
    "randomization.position_noise": "噪声添加",
    "randomization.permutation": "置换",
    "randomization.microaggregation": "微聚集",
    "synthesis.sequential": "数据合成",
    "synthesis.private": "差分隐私模型",
    "model.k_anonymity": "K-匿名",
}
"""What each technique really is; others have no row in the table."""


@pytest.mark.parametrize("line", PRINTED.strip().splitlines(), ids=lambda line: line.split()[0])
def test_every_value_is_the_printed_one(line: str) -> None:
    name, *printed = line.split()
    (row,) = (one for one in TABLE_C1.values() if one.row == name)
    effects = [LETTERS[one.value] for one in (row.singling_out, row.linking, row.inference)]
    found = ["y" if row.truthful else "n", row.data_types, row.attributes, *effects, row.cost.value]
    assert found == printed


def test_every_technique_claims_the_row_of_what_it_is() -> None:
    claimed = {one.key: one.properties.row for one in catalogue.techniques() if one.properties is not None}
    assert claimed == ROWS


def test_what_replaces_one_to_one_prevents_neither_singling_out_nor_linking() -> None:
    for one in catalogue.techniques():
        if one.replaces_by_made_up:
            assert one.properties is TABLE_C1["pseudonymisation"], one.key
            assert one.not_for
