"""What each of the demo's projects wants the outpatient records for: all share the source, none the purpose, basis and recipient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    agreed: str = ""
    """The purpose in the data use agreement."""

    @property
    def summary_text(self) -> str:
        return self.summary or f"向{self.recipient}提供门诊就诊记录，{self.use}"

    @property
    def agreed_text(self) -> str:
        return self.agreed or self.use.rstrip("。")

    def scope(self) -> dict[str, Any]:
        """What differs in the scope."""
        return {"laws": self.laws, "use": self.use}

    def factors(self) -> dict[str, Any]:
        """What differs in the factors."""
        return {"use_after": self.use_after}


_RESEARCH = "个人信息保护法第二十八条至第三十二条；数据安全法第二十七条；"
REGION = Purpose(
    "门诊就诊记录用于区域疾病谱研究",
    "医学院流行病学教研室",
    "用于区域疾病谱与门诊费用的流行病学研究，不对个人作出任何决定。",
    "研究者按月、按区、按科室统计就诊人次与费用，不需要识别到个人。",
    summary="向医学院提供门诊就诊记录，用于区域疾病谱研究。",
    agreed="区域疾病谱与门诊费用的流行病学研究",
)
CITY = Purpose(
    "门诊就诊记录用于健康城市研究",
    "医学院流行病学教研室健康城市课题组",
    "用于比较各城区居民的门诊就诊水平，为健康城市评价提供依据，不对个人作出任何决定。",
    "课题组按城区、按季度统计就诊人次，与公开的环境指标对照，不需要识别到个人。",
    _RESEARCH + "健康城市评价的行业指导文件。",
)
CHRONIC = Purpose(
    "门诊就诊记录用于慢性病就诊规律研究",
    "医学院流行病学教研室慢性病课题组",
    "用于研究高血压、糖尿病等慢性病患者的门诊就诊频次与费用，不对个人作出任何决定。",
    "课题组按诊断、按年龄段统计复诊间隔与费用，不需要识别到个人。",
    _RESEARCH + "基本医疗卫生与健康促进法关于慢性病防控的规定。",
)
PEAKS = Purpose(
    "门诊就诊记录用于就诊高峰与应急研究",
    "医学院流行病学教研室应急课题组",
    "用于研究各科室门诊就诊高峰的时间规律，为应急预案提供依据，不对个人作出任何决定。",
    "课题组按周、按科室统计就诊人次，不需要识别到个人。",
    _RESEARCH + "突发公共卫生事件应急条例关于应急预案的规定。",
)
CARE = Purpose(
    "门诊就诊记录用于合理就医评价",
    "医学院流行病学教研室卫生服务课题组",
    "用于评价各科室诊断构成与就诊流向是否合理，不对个人和医生作出任何决定。",
    "课题组按科室、按诊断统计就诊构成，不需要识别到个人。",
    _RESEARCH + "医疗质量管理办法关于质量评价的规定。",
)
COSTS = Purpose(
    "门诊费用数据用于支付方式研究",
    "医学院流行病学教研室卫生经济课题组",
    "用于研究门诊费用的分布与影响因素，为支付方式改革提供测算，不对个人作出任何决定。",
    "课题组按诊断、按科室测算次均费用，不需要识别到个人。",
    _RESEARCH + "医疗保障基金使用监督管理条例。",
)
INFLUENZA = Purpose(
    "门诊就诊记录用于呼吸道疾病监测研究",
    "医学院流行病学教研室传染病课题组",
    "用于研究呼吸道疾病门诊就诊的季节规律，为流感监测提供基线，不对个人作出任何决定。",
    "课题组按周、按年龄段统计呼吸道疾病的就诊占比，不需要识别到个人。",
    _RESEARCH + "传染病防治法关于监测的规定。",
)
