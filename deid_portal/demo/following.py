"""What happened in the demo after the release: findings, a look back, and a spot check."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.selectors import checked_steps
from projects.findings.services import (
    checked_step_record,
    finding_act,
    finding_check,
    finding_raise,
    spot_check_draw,
)
from projects.lessons.services import lesson_record
from projects.workflow import Stage


def follow_up(project: Project, people: Mapping[str, User]) -> None:
    """The released project: one finding is closed, one is to be put right, the supervisor has looked back, a spot check has begun."""
    today = timezone.localdate()
    closed = finding_raise(
        project,
        source=FindingSource.REVIEW,
        stage=Stage.IDENTIFICATION,
        severity=FindingSeverity.MINOR,
        title="判定理由过于简略",
        description="部分列的判定理由只写“同上”，未说明依据（5.3.4）。",
        owner=people["executor"],
        due_on=today + timedelta(days=7),
        by=people["supervisor"],
    )
    finding_act(
        closed, action="已在数据字典中补充各列的判定依据，并更新判定说明模板。", by=people["executor"]
    )
    finding_check(closed, effective=True, remark="已核对数据字典，依据齐全。", by=people["supervisor"])
    finding_raise(
        project,
        source=FindingSource.ASSESSMENT,
        stage=Stage.RELEASE,
        severity=FindingSeverity.MAJOR,
        title="协议扫描件未归档",
        description="数据使用协议已登记，但签字扫描件未上传，无法核对签署内容。",
        owner=people["planner"],
        due_on=today + timedelta(days=14),
        by=people["auditor"],
    )
    lesson_record(
        project,
        risk="各项风险指标均在目标之内；发布后按期重新评估，结论未变。",
        usefulness="接收方反馈按月、按区、按科室的统计可以完成，年龄分组足够细。",
        efficiency="识别阶段用时最长，主要在补充数据字典；处理与验证一次完成。",
        went_well="先写清用途与所需字段，保留的准标识符少，方案一次通过。",
        to_change="立项时随需求一并提交数据字典，由执行者核对后再上传数据。",
        owner=people["executor"],
        by=people["supervisor"],
    )
    check = spot_check_draw(size=2, reason="年度第一次不定期抽查", by=people["auditor"])
    first = checked_steps(check)[0]
    checked_step_record(
        first, remark="已核对该步骤的文档、审查记录与审计日志，内容一致。", by=people["auditor"]
    )
