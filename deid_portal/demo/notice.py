"""What the persons in the demo's tables have read and signed."""

from __future__ import annotations

from .sources import Source

FILE_NAME = "门诊就诊隐私告知书.txt"
CONTENT = """\
门诊就诊隐私告知书（2024 年 3 月版）

一、您就诊时，我们登记您的姓名、身份证号、手机号码、住址、出生日期和民族，并记录科室、诊断与费用。
二、这些信息用于诊疗、结算、随访和法律要求的上报，由医院信息中心保管。
三、未经您同意，我们不向院外任何单位或个人提供能够识别您身份的信息，法律另有规定的除外。
四、信息加密存放，仅有工作需要的人员可以查阅，每次查阅均有记录。
五、您可以在病案窗口查阅、复制您的信息，发现有误可以要求更正。
六、您可以随时撤回同意，撤回不影响此前的诊疗。
七、用于医学研究时，我们先按国家标准去标识化，并要求接收方承诺不重新识别、不转交他人、不挪作他用。
八、对本告知有疑问，请联系医院信息中心。

本人已阅读并理解以上内容。　　签名：＿＿＿＿＿＿　　日期：＿＿＿＿＿＿
""".encode()


def notice_of(source: Source) -> tuple[str, bytes]:
    """File name and text of the notice under which ``source`` was collected."""
    text = (
        CONTENT.decode()
        .replace("门诊就诊隐私告知书", source.notice)
        .replace("科室、诊断与费用", source.noted)
    )
    if not source.is_treatment:
        text = (
            text.replace("您就诊时", "登记时")
            .replace("用于诊疗、结算、随访", "用于健康管理")
            .replace("此前的诊疗", "此前的服务")
        )
    return f"{source.notice}.txt", text.encode()
