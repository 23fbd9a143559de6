"""Names in texts without a label beside them: how many are found, and what is taken for one that is none."""

from __future__ import annotations

import random
import re

import pytest

from deid_portal.demo.clinic import REMARKS
from deid_portal.demo.people import GIVEN_NAMES, SURNAME_SHARES
from techniques.families.synthesis import places
from techniques.identification.rules import find_in_text, redact
from tests.conftest import ROOT

SENTENCES = [
    "由{}记录",
    "病史由{}提供。",
    "经{}医生核对",
    "主治医师{}查房",
    "患者{}，男，35岁",
    "患者{}诉头痛",
    "主管护士{}，白班",
    "医生：{}",
    "与{}医生沟通",
    "{}今日复诊",
    "{}昨日来院复查",
    "{}签字",
    "{}（医生）",
    "记录人：{}",
    "主治 {}",
]
IN_THE_MIDDLE = [
    "已联系{}下周来院",
    "告知{}手术风险",
    "建议{}复查血糖",
    "和{}沟通病情",
    "向{}详细说明风险",
    "{}的女儿要求出院",
    "{}表示理解",
]
COMPOUND = [
    "主诊:{}",
    "主诊：{}，建议复查",
    "手术者：{}",
    "申请人 {}",
    "昨日见到{}，情绪稳定",
    "与{}谈话后签字",
    "由{}陪同入院",
    "患者{}诉头痛",
    "检查医生{}",
    "今日{}来院复诊",
]
NO_NAMES = """
与班长沟通
与师长协商
与商家沟通
和平沟通会
向家属说明
向家长解释
与时俱进
对金额核实
请安全员确认
与单位联系
与全科讨论
联系单位
联系家属
通知全家
通知班长
通知江苏省卫健委
告知时间
告知明细
建议安静休息
建议常规复查
建议平卧
建议白天活动
建议金银花煎服
建议石膏固定
建议应用抗生素
建议水化治疗
建议康复训练
建议全身检查
建议时常翻身
建议高蛋白饮食
建议低盐饮食
建议黄连素
建议向上级转诊
询问成人疫苗
询问于某
提醒按时服药
患者要求出院
家属表示理解
高度怀疑的家属
病人拒绝检查
主诉反复发热
主诊：高血压
主诊：高热
主治：石膏固定
主诊:安宁疗护
术者：双方
司徒镇卫生院
诸葛村诊所
上官氏
东方医院
南宫市人民医院
"""
NO_NAMES += """
患者高血压，男，35岁
患者高热因肺炎入院
患者安静，因咳嗽就诊
患者常规复查
患者平静，男
由于病情记录不全
由管理员记录
由项目负责人审核
由程序执行
由单位提供证明
由系统登记
由安全主管审核
由厂商提供
由专家会诊
由科室主任审核
由社区医生随访
由全科医生接诊
由家属陪同
由麻醉师操作
由管床护士记录
由值班医生查房
由上级医院转介
由救护车送入
由门诊送至病房
由卫生院转介
由成都转来
由武汉送至
由江苏省人民医院会诊
由双方签字
由本人签名
由高年资医生操作
由康复科会诊
经常规检查后登记
经时间核对
经全面查房
经查房后
经管医生查房
经万元户登记
经向家属核实
经应用抗生素治疗
经济来源由子女提供
医生安排复查
医生向家属告知
医生建议明日复诊
医生和护士核对
护士长查房
护士于明晨记录
主任查房
主任明日到
主任医师会诊
主任于今日查房
医师常年随访
医生何时来
医师应明确诊断
医生全天值班
护士全程陪同
医生时有巡视
护士单独记录
主任成功手术
医生方才查房
与主治医师沟通
和平医生集团
请向老师说明
找全科医生
曾任主任
时任主任
管床医生
康复医师
麻醉医师
高级教师
家属因故未到
家属于今日就诊
患者于明日复诊
患者时有头晕，因此就诊
患者金属过敏，男
患者白天来诊
患者路远，因此出院
患者家境贫寒因故出院
患者全身无力因感冒就诊
父亲高寿，男
母亲安康
女儿因故
儿子应来院
患者何因入院
患者严重，男
患者方因跌倒入院
患者左侧偏瘫，男
患者单身，男
患者黄疸，女
患者石女，女
患者毛发脱落，女
患者明显好转出院
患者温和，男
患者查体因不适
患者万分焦虑因故就诊
患者包块因疼痛就诊
患者武警，男
患者江西人，男
患者成人，男
患者农民，男
患者车祸，男
患者项强因落枕就诊
患者易疲劳，女
患者连日发热，男
患者符合出院标准
患者牙龈红肿，女
患者关节肿，女
患者甘油三酯高，男
患者向来体健，男
医生，护士，主任
主任 林业局
医生 金牌服务
医生 云平台
医师 高峰论坛
护士 白班
医生 常春藤
医师 石英钟
主任 路桥公司
主任 水利局
患者签字
家属签字
双方签字
领导签字
安全签字
平安出院
下午复诊
今日复诊
方可今日出院
应于今日复诊
明天上午复诊
高血压昨日就诊
审核人：系统
操作人：管理员
记录人：夜班
任何人不得入内
"""
"""Texts of records in which surnames begin words."""
NO_NAMES += """
以上官方数据
以上官方，
线上官方渠道
线上官网联系
网上官方预约
可上官网查询
早上官员说明
晚上官兵
晚上官兵慰问
马上官宣
马上官复原职
与上官方核对
端木耳
高端木耳，
宇文化公司
楼宇文明公约
诸葛行军散
诸葛根汤
司徒手操作
上司徒步来院
公司马上联系
公司马上表示
招呼延误诊
呼延误诊
公冶炼厂
申屠宰场
羡慕容颜
单独孤立
少尉迟到
北欧阳性率
建议向华山医院转诊
建议向华东医院
建议向金山转诊
建议于国庆后复诊
建议于国庆节后复诊
建议于立春后
建议于安静状态下测量
建议于春节复查
建议应先住院
建议常春藤复查
建议金莲花片
建议金莲花，
建议金荣达口服
建议安国医院复查
联系黄山景区
联系黄山宝山区
通知江山兴村
和田玉进行了解
和田玉沟通
"""
"""And those in which a surname of two signs stands across two words, or what follows 建议 is no person."""


def found(text: str) -> list[str]:
    return [text[start:end] for _kind, start, end in find_in_text(text, ["person_name"])]


def demo_name(draw: random.Random) -> str:
    surname = draw.choices(list(SURNAME_SHARES), list(SURNAME_SHARES.values()))[0]
    first, second, alone = GIVEN_NAMES[draw.choice([0, 1, 2]), draw.choice("男女")]
    return surname + (draw.choice(alone) if draw.random() < 0.3 else draw.choice(first) + draw.choice(second))


def drawn_name(draw: random.Random) -> str:
    """Of signs that all occur as often, as no one names children."""
    surname = draw.choices(list(SURNAME_SHARES), list(SURNAME_SHARES.values()))[0]
    return surname + "".join(draw.choice(places.GIVEN) for _ in range(draw.choice([1, 2, 2])))


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize(("name_of", "least"), [(demo_name, 0.85), (drawn_name, 0.5)])
def test_most_names_are_found_whole(sentence, name_of, least):
    draw = random.Random(sentence)
    names = [name_of(draw) for _ in range(200)]
    hits = sum(found(sentence.format(name)) == [name] for name in names)
    assert hits >= least * len(names)
    text = sentence.format("王建国")
    assert redact([text]) == [sentence.format("***")]


@pytest.mark.parametrize("sentence", IN_THE_MIDDLE)
@pytest.mark.parametrize(("name_of", "least"), [(demo_name, 0.85), (drawn_name, 0.5)])
def test_most_names_of_three_signs_are_found_in_the_middle_of_a_sentence(sentence, name_of, least):
    draw = random.Random(sentence)
    names = [name for name in (name_of(draw) for _ in range(400)) if len(name) == 3]
    hits = sum(found(sentence.format(name)) == [name] for name in names)
    assert hits >= least * len(names)


@pytest.mark.parametrize("sentence", COMPOUND)
def test_names_of_compound_surnames_are_found_in_the_middle_of_a_sentence(sentence):
    for name in ("欧阳修", "上官婉儿", "诸葛亮", "司马光", "夏侯惇", "慕容复", "令狐冲", "欧阳 锋"):
        assert found(sentence.format(name)) == [name]


def test_a_name_of_a_compound_surname_ends_where_what_follows_is_no_sign_of_a_name():
    assert found("据欧阳娜说") == found("和欧阳娜一起来") == found("欧阳娜家属不在场") == ["欧阳娜"]
    assert found("和田玉兰沟通") == ["田玉兰"]


def test_a_name_with_a_blank_is_found_after_the_label_of_staff():
    assert found("主诊:王 芳") == found("责任护士：王 芳，白班") == ["王 芳"]
    assert found("主诊:高 血压") == found("主治：周 一查房") == []


def test_a_name_before_a_telephone_number_is_found():
    assert redact(["王建国 13812345678", "李秀英，13812345678"]) == ["*** ***********", "***，***********"]
    assert found("电话 13812345678") == found("联系方式：13812345678") == []


@pytest.mark.parametrize("text", NO_NAMES.split())
def test_a_word_is_not_taken_for_a_name(text):
    assert found(text) == []


def test_texts_that_are_about_nobody_hold_no_name():
    catalogue = (ROOT / "locale/zh_Hans/LC_MESSAGES/django.po").read_text(encoding="utf-8").splitlines()
    lines = [line for line in catalogue if line.startswith(("msgstr", '"'))]
    assert sum(len(re.findall("[\u4e00-\u9fff]", line)) for line in lines) > 50_000
    # Two that were there before: what stands after 姓名： is taken for a name.
    assert sum(bool(found(line)) for line in lines) <= 2
    assert not any(found(remark) for remark in REMARKS)
