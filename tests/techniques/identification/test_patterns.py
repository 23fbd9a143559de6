"""Where identifiers are found in a text, and where not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from techniques.identification.rules import find_in_text, redact

FOUND = [
    ("身份证440524188001010014号", "id_number", "440524188001010014"),
    ("证件440524 18800101 0014。", "id_number", "440524 18800101 0014"),
    ("号码４４０５２４１８８００１０１００１４", "id_number", "４４０５２４１８８００１０１００１４"),
    ("110105194912310021", "id_number_like", "110105194912310021"),
    ("老证130503670401001", "id_number", "130503670401001"),
    ("电话13812345678转", "phone", "13812345678"),
    ("电话１３８１２３４５６７８", "phone", "１３８１２３４５６７８"),
    ("138-1234-5678", "phone", "138-1234-5678"),
    ("138 1234 5678", "phone", "138 1234 5678"),
    ("+86 13812345678", "phone", "+86 13812345678"),
    ("tel13812345678", "phone", "13812345678"),
    ("0755-88886666", "phone", "0755-88886666"),
    ("(010)88886666", "phone", "(010)88886666"),
    ("邮箱zhang.san@163.com。", "email", "zhang.san@163.com"),
    ("来自192.168.1.10登录", "ip_address", "192.168.1.10"),
    ("fe80::1ff:fe23:4567:890a", "ip_address", "fe80::1ff:fe23:4567:890a"),
    ("见http://a.cn/b?c=1，谢谢", "url", "http://a.cn/b?c=1"),
    ("卡号6222 6002 6000 1072 444", "bank_card", "6222 6002 6000 1072 444"),
    ("4111111111111111", "bank_card", "4111111111111111"),
    ("护照E12345678已核", "passport", "E12345678"),
    ("回乡证H12345678", "hk_mo_tw_permit", "H12345678"),
    ("车粤B12345停", "licence_plate", "粤B12345"),
    ("粤B·D12345", "licence_plate", "粤B·D12345"),
    ("代码91350100M000100Y43", "credit_code", "91350100M000100Y43"),
    ("1M8GDM9AXKP042788", "vin", "1M8GDM9AXKP042788"),
    ("00:1A:2B:3C:4D:5E", "device_id", "00:1A:2B:3C:4D:5E"),
    ("联系人：王芳，电话", "person_name", "王芳"),
    ("姓名:欧阳娜娜电话", "person_name", "欧阳娜娜"),
    ("住广东省深圳市南山区科技路12号3栋402室", "address", None),
    ("QQ:12345678", "messenger", "12345678"),
    # as people, spreadsheets and other systems write them
    ("证件440524.18800101.001.4", "id_number", "440524.18800101.001.4"),
    ("证件4405 2418 8001 0100 14", "id_number", "4405 2418 8001 0100 14"),
    ("证件440524\u00a018800101\u00a00014", "id_number", "440524\u00a018800101\u00a00014"),
    ("证件4405\u200b24188001010014。", "id_number", "4405\u200b24188001010014"),
    ("证件四四〇五二四一八八〇〇一〇一〇〇一四", "id_number", "四四〇五二四一八八〇〇一〇一〇〇一四"),
    ("4.40524188001010E+17", "id_number", None),
    ("居住证810000199408230021", "id_number", "810000199408230021"),
    ("永居证911124198108030024", "id_number", "911124198108030024"),
    ("旧永居证CAN110001010101", "id_number", "CAN110001010101"),
    ("港A123456(3)", "hk_mo_tw_permit", "A123456(3)"),
    ("C6686689", "hk_mo_tw_permit", "C6686689"),
    ("澳1/234567/8", "hk_mo_tw_permit", "1/234567/8"),
    ("台A123456789", "hk_mo_tw_permit", "A123456789"),
    ("138.1234.5678", "phone", "138.1234.5678"),
    ("电话(138)12345678", "phone", "(138)12345678"),
    ("138 1234-5678", "phone", "138 1234-5678"),
    ("13,812,345,678", "phone", "13,812,345,678"),
    ("1.38E+10", "phone", "1.38E+10"),
    ("13812345678.0", "phone", "13812345678.0"),
    ("电话一三八一二三四五六七八", "phone", "一三八一二三四五六七八"),
    ("致电+852 6123 4567", "phone", "+852 6123 4567"),
    ("+1 (212) 555-2368", "phone", "+1 (212) 555-2368"),
    ("0044 20 7946 0958", "phone", "0044 20 7946 0958"),
    ("京a12345", "licence_plate", "京a12345"),
    ("MAC:00:1A:2B:3C:4D:5E", "device_id", "00:1A:2B:3C:4D:5E"),
    ("地址：fe80::1ff:fe23:4567:890a", "ip_address", "fe80::1ff:fe23:4567:890a"),
    ("电话(010) 8888 6666", "phone", "(010) 8888 6666"),
    ("021-6666-8888", "phone", "021-6666-8888"),
    ("０７５５—８８８８６６６６", "phone", "０７５５—８８８８６６６６"),
    ("０７５５　８８８８　６６６６", "phone", "０７５５　８８８８　６６６６"),
    ("座机０２１－６６６６８８８８转８０１", "phone", "０２１－６６６６８８８８转８０１"),
    ("电话：０１０８８８８６６６６", "phone", "０１０８８８８６６６６"),
    ("电话：88886666", "phone", "88886666"),
    ("Tel: 8888 6666, fax none", "phone", "8888 6666"),
    ("0755-88886666，3人", "phone", "0755-88886666"),
    # names after a label
    ("姓名：张䶮䶮，女", "person_name", "张䶮䶮"),
    ("姓名：丁一", "person_name", "丁一"),
    ("姓名：一休，男", "person_name", "一休"),
    ("姓名：張偉，男", "person_name", "張偉"),
    ("姓名：买买提·吐尔逊，男", "person_name", "买买提·吐尔逊"),
    ("联系人:张 三 电话", "person_name", "张 三"),
    ("姓名：张三丰今天来", "person_name", "张三丰"),
    ("联系人：王 小 明", "person_name", "王 小 明"),
    ("医师签名：欧阳 锋", "person_name", "欧阳 锋"),
    ("医师签名 欧阳 锋", "person_name", "欧阳 锋"),
    ("医师签名　欧阳　　锋", "person_name", "欧阳　　锋"),
    ("经办：马云", "person_name", "马云"),
    ("病人，名叫刘德华，已婚", "person_name", "刘德华"),
    ("母亲叫何丽", "person_name", "何丽"),
    ("Name: John Smith, seen today", "person_name", "John Smith"),
]


@pytest.mark.parametrize(("text", "kind", "part"), FOUND)
def test_found(text: str, kind: str, part: str | None) -> None:
    spans = find_in_text(text)
    assert [k for k, _, _ in spans] == [kind]
    if part is not None:
        assert text[spans[0][1] : spans[0][2]] == part


@pytest.mark.parametrize(
    "text",
    [
        "440524********0014",
        "138****5678",
        "患者高血压，男，35岁",
        "2023-01-01 12:00:00",
        "20230101123045123",
        "150 2023-01-01",
        "a3f13812345678bc",
        "d41d8cd98f00b204e9800998ecf8427e",
        "12:30:45",
        "1.2.3",
        "4111111111111112",
        "广东省深圳市",
        "张某",
        "费用 123456.78 元",
        "138.00138000",
        "+12 345 678 901 234",
        "2.5E+17",
        "姓名：不详",
        "联系人：张某",
        "签名：同意",
        "经办：人事科",
        "父亲叫停治疗",
        "名叫错了",
        "Username: Foo Bar",
        "一二三四五",
        "合同010-2023-0101",
        "电话20240101随访",
        "2023—2024年",
        "",
    ],
)
def test_not_found(text: str) -> None:
    assert find_in_text(text) == []


def test_several_in_one_text_do_not_overlap() -> None:
    text = "身份证440524188001010014，电话13812345678，备用0755-88886666"
    spans = find_in_text(text)
    assert [k for k, _, _ in spans] == ["id_number", "phone", "phone"]
    assert all(a[2] <= b[1] for a, b in pairwise(spans))


def test_redact_keeps_the_rest() -> None:
    texts = ["身份证440524188001010014号，Ａ座", "无", "", "电话１３８１２３４５６７８"]
    assert redact(texts) == ["身份证" + "*" * 18 + "号，Ａ座", "无", "", "电话" + "*" * 11]
    assert redact(texts, kinds=["phone"])[0] == texts[0]
    assert redact(["电13812345678话"], mask="[手机]") == ["电[手机]话"]
    assert redact([]) == []
    for text in redact([t for t, _, _ in FOUND]):
        assert find_in_text(text) == []
