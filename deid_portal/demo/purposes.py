"""What each of the demo's projects is for: a table of the hospital's, who receives what of it, for which purpose and by which law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from projects.objective.enums import Instead, Met, Trigger
from projects.objective.plan.need.content import Need

from .sources import CHECK_UP, FEVER_CLINIC, FOLLOW_UP, OUTPATIENT, REFERRAL, SETTLEMENT, TRIAGE, Source


@dataclass(frozen=True)
class Purpose:
    """Texts of one project, as its people would have written them."""

    title: str
    recipient: str
    """The group that receives the result."""
    use: str
    use_after: str
    laws: str = "个人信息保护法第二十八条至第三十二条；健康医疗数据安全的行业标准。"
    summary: str = ""
    source: Source = OUTPATIENT
    agreed: str = ""
    """The purpose in the data use agreement."""
    k: int | None = None
    """What the executor asks of classes in the suggested recipe, instead of what the target asks."""
    note: str = "按判定与目标生成的首版方案"
    """What the executor says of the recipe."""

    @property
    def summary_text(self) -> str:
        return self.summary or f"向{self.recipient}提供{self.source.title}，{self.use}"

    @property
    def agreed_text(self) -> str:
        return self.agreed or self.use.rstrip("。")

    def need(self) -> Need:
        """Why the recipient needs the records, and whether it can be done."""
        return Need(
            trigger=Trigger.USE,
            who=self.recipient,
            act=self.use,
            what=f"{self.source.title}中与用途有关的字段；逐条记录用于分组统计与建模，姓名、证件号码与联系方式均不需要。",
            ground=self.laws,
            scene="在接收方的受控终端上由指定人员使用，不与其他数据关联，期满销毁。",
            benefit=self.use_after,
            instead=[Instead.AGGREGATES, Instead.FEWER],
            instead_why="汇总表无法按多个变量分层；字段已减到用途所需，记录仍须逐条提供。",
            structured=Met.YES,
            bearable=Met.YES,
            unrecoverable=Met.UNKNOWN,
            usable=Met.YES,
            points_why="以本院同类数据的试运行为依据；接收方可能持有其他数据，能否复原须在验证时测量，故按相对匿名化处理。",
            resources="本院信息科一名工程师与一台内网服务器。",
            skill="执行者已完成去标识化培训并通过考核。",
            time="自计划书批准起约四周。",
        )

    def scope(self) -> dict[str, Any]:
        """What differs in the scope."""
        return self.source.scope() | {"laws": self.laws, "use": self.use}

    def factors(self) -> dict[str, Any]:
        """What differs in the factors."""
        return self.source.factors() | {"use_after": self.use_after}


_RESEARCH = "个人信息保护法第二十八条至第三十二条；数据安全法第二十七条；"
REGION = Purpose(
    "门诊就诊记录用于区域疾病谱研究",
    "医学院流行病学教研室",
    "用于区域疾病谱与门诊费用的流行病学研究，不对个人作出任何决定。",
    "研究者按月、按区、按科室统计就诊人次与费用，不需要识别到个人。",
    summary="向医学院提供门诊就诊记录，用于区域疾病谱研究。",
    agreed="区域疾病谱与门诊费用的流行病学研究",
)
WORK = Purpose(
    "职业人群体检记录用于职业健康评价",
    "医学院流行病学教研室职业健康课题组",
    "用于比较各行业从业人员的体检结论，为职业健康评价提供依据，不对个人和用人单位作出任何决定。",
    "课题组按行业、按年龄段统计体检结论的构成，不需要识别到个人。",
    _RESEARCH + "职业病防治法关于职业健康监护的规定。",
    source=CHECK_UP,
)
CHRONIC = Purpose(
    "慢性病随访记录用于血压控制研究",
    "医学院流行病学教研室慢性病课题组",
    "用于研究高血压、糖尿病患者随访期间的血压与血糖水平，不对个人作出任何决定。",
    "课题组按管理病种、按年龄段统计血压与血糖的达标情况，不需要识别到个人。",
    _RESEARCH + "基本医疗卫生与健康促进法关于慢性病防控的规定。",
    source=FOLLOW_UP,
)
PEAKS = Purpose(
    "急诊分诊记录用于就诊高峰与应急研究",
    "医学院流行病学教研室应急课题组",
    "用于研究急诊到诊高峰与候诊时间的规律，为应急预案提供依据，不对个人作出任何决定。",
    "课题组按时段、按主诉统计到诊人次与候诊时间，不需要识别到个人。",
    _RESEARCH + "突发公共卫生事件应急条例关于应急预案的规定。",
    source=TRIAGE,
)
CARE = Purpose(
    "双向转诊记录用于分级诊疗评价",
    "医学院流行病学教研室卫生服务课题组",
    "用于评价转诊流向与等待时间是否合理，不对个人和医生作出任何决定。",
    "课题组按转出机构级别、按科室统计转诊构成与等待天数，不需要识别到个人。",
    _RESEARCH + "医疗质量管理办法关于质量评价的规定。",
    source=REFERRAL,
)
COSTS = Purpose(
    "医保结算记录用于支付方式研究",
    "医学院流行病学教研室卫生经济课题组",
    "用于研究结算费用的分布与影响因素，为支付方式改革提供测算，不对个人作出任何决定。",
    "课题组按参保类型、按诊断测算次均费用，不需要识别到个人。",
    _RESEARCH + "医疗保障基金使用监督管理条例。",
    source=SETTLEMENT,
    # Lower than the target: the result is measured as too risky, and remedies wait beside what failed.
    k=3,
    note="在系统建议的方案上，先只按k=3求解，以保留较细的年龄分组；是否达到目标由验证测量",
)
INFLUENZA = Purpose(
    "发热门诊登记用于流感监测研究",
    "医学院流行病学教研室传染病课题组",
    "用于研究发热患者病原检测结果的构成，为流感监测提供基线，不对个人作出任何决定。",
    "课题组按年龄段统计病原检测结果的构成与体温，不需要识别到个人。",
    _RESEARCH + "传染病防治法关于监测的规定。",
    source=FEVER_CLINIC,
)
