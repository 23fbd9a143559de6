"""Departments, what is diagnosed there, how often, and what it costs."""

from __future__ import annotations

from typing import NamedTuple


class Department(NamedTuple):
    """``share`` of visits; ``fee`` median in yuan; ``diagnoses`` from the commonest to the rare,
    with their relative frequency; who comes: ages and gender (empty: both)."""

    name: str
    share: float
    fee: float
    diagnoses: dict[str, float]
    ages: tuple[int, int] = (14, 120)
    gender: str = ""


def _words(text: str) -> list[str]:
    return text.split()


def _counts(text: str) -> dict[str, float]:
    return {name: float(number) for name, number in (pair.split(":") for pair in text.split())}


DEPARTMENTS: tuple[Department, ...] = (
    Department("心血管内科", 13, 420, _counts("高血压病:46 冠心病:22 心律失常:9 心力衰竭:7 高脂血症:9 急性心肌梗死:3 心肌炎:1.5 扩张型心肌病:1 马凡综合征:0.08"),
        (25, 120)),
    Department("呼吸与危重症医学科", 9, 380, _counts("急性上呼吸道感染:34 支气管炎:22 肺炎:17 慢性阻塞性肺疾病:12 支气管哮喘:8 肺结节:5 肺栓塞:0.8 特发性肺纤维化:0.3")),
    Department("消化内科", 10, 360, _counts("慢性胃炎:38 胃食管反流病:18 消化性溃疡:12 肠易激综合征:9 脂肪肝:9 胆囊炎:6 急性胰腺炎:2 克罗恩病:0.6 肝豆状核变性:0.1")),
    Department("内分泌科", 8, 300, _counts("2型糖尿病:58 甲状腺功能亢进症:12 甲状腺结节:13 甲状腺功能减退症:8 痛风:7 1型糖尿病:1.2 库欣综合征:0.2 肢端肥大症:0.1")),
    Department("神经内科", 7, 460, _counts("脑梗死:30 头痛:20 睡眠障碍:14 眩晕:13 癫痫:7 帕金森病:6 脑出血:4 多发性硬化:0.4 亨廷顿病:0.06"), (18, 120)),
    Department("肾内科", 3, 520, _counts("慢性肾脏病:44 肾病综合征:14 泌尿系感染:18 肾结石:16 尿毒症:6 多囊肾:0.8 法布里病:0.05")),
    Department("骨科", 8, 640, _counts("腰椎间盘突出症:30 骨关节炎:22 骨折:18 颈椎病:16 骨质疏松:9 半月板损伤:4 骨肉瘤:0.2")),
    Department("普通外科", 6, 1900, _counts("胆囊结石:24 阑尾炎:20 腹股沟疝:16 甲状腺肿物:12 乳腺结节:12 痔:11 肠梗阻:3 胆管癌:0.4")),
    Department("泌尿外科", 3, 880, _counts("前列腺增生:34 肾结石:26 尿路感染:20 膀胱炎:10 膀胱癌:2 睾丸肿瘤:0.3"), (18, 120)),
    Department("妇产科", 8, 560, _counts("正常妊娠监督:34 阴道炎:22 子宫肌瘤:13 月经失调:13 卵巢囊肿:7 妊娠期糖尿病:5 先兆流产:5 子宫颈癌:0.8 葡萄胎:0.2"),
        (15, 60), "女"),
    Department("儿科", 9, 220, _counts("急性上呼吸道感染:42 支气管肺炎:16 急性胃肠炎:12 手足口病:9 小儿哮喘:6 湿疹:8 热性惊厥:3 川崎病:0.6 苯丙酮尿症:0.08"),
        (0, 14)),
    Department("眼科", 4, 320, _counts("屈光不正:34 白内障:24 干眼症:18 结膜炎:13 青光眼:7 视网膜脱离:1.5 视网膜色素变性:0.2"), (5, 120)),
    Department("耳鼻咽喉科", 4, 260, _counts("过敏性鼻炎:32 慢性咽炎:24 中耳炎:16 突发性耳聋:10 鼻窦炎:12 鼻咽癌:0.9 梅尼埃病:1.4"), (3, 120)),
    Department("皮肤科", 4, 190, _counts("湿疹:30 荨麻疹:20 痤疮:18 银屑病:8 带状疱疹:8 皮炎:13 白癜风:2 系统性红斑狼疮:0.7 大疱性表皮松解症:0.04"),
        (3, 120)),
    Department("肿瘤科", 3, 4600, _counts("肺恶性肿瘤:30 乳腺恶性肿瘤:20 结直肠恶性肿瘤:18 胃恶性肿瘤:13 肝恶性肿瘤:11 淋巴瘤:4 胰腺恶性肿瘤:2 神经内分泌肿瘤:0.4"),
        (25, 120)),
    Department("感染科", 2, 420, _counts("慢性乙型病毒性肝炎:48 发热待查:22 肺结核:12 流行性感冒:12 慢性丙型病毒性肝炎:3 人类免疫缺陷病毒感染:0.8 布鲁氏菌病:0.3")),
    Department("精神心理科", 2, 280, _counts("抑郁发作:34 焦虑障碍:32 失眠症:22 双相情感障碍:5 精神分裂症:4 强迫症:2.4")),
    Department("急诊科", 5, 520, _counts("急性腹痛:22 外伤:24 发热:20 急性胃肠炎:14 胸痛:9 酒精中毒:5 药物过敏:4 一氧化碳中毒:0.8"), (0, 120)),
)  # fmt: skip

REMARKS = _words(
    "复查，病情平稳 医保已结算 建议两周后复诊 已告知用药注意事项 自费结算 外院检查结果已阅 建议低盐低脂饮食 "
    "转诊患者，附转诊单 药物过敏史：青霉素 行动不便，家属陪同 要求开具诊断证明 下次携带既往影像资料 首次就诊"
)
