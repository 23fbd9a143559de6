"""The steps by which a person brings a project from its first state to an approved plan, through services only."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from approvals.decisions.models import Decision, ReviewOutcome
from approvals.decisions.services import review_record
from projects.core.enums import SharingType
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.services import project_move
from projects.objective import services
from projects.objective.plan.prefill import plan_prefill
from projects.objective.selectors import objective_of
from projects.objective.targets.reading import factors_read, plan_read, scope_read, utility_read
from projects.objective.targets.risk import risk_defaults
from projects.objective.targets.utility import utility_defaults
from projects.workflow import Move, Stage

SCOPE: dict[str, Any] = {
    "regulations": ["pipl", "gbt_35273"],
    "laws": "《个人信息保护法》第五十一条：对个人信息采取去标识化措施。",
    "classification": "sensitive",
    "policy": "医院数据分级办法：就诊记录属于敏感数据。",
    "promise": "consent",
    "source": "门诊系统，患者挂号时采集，已告知科研用途。",
    "business": "挂号、就诊、收费三个环节；泄露会暴露病情。",
    "use": "用于季节性疾病的统计研究。",
    "use_risk": "medium",
    "related": [],
    "relation": "此前没有披露过同一批患者的数据，已查阅登记簿。",
}
FACTORS: dict[str, Any] = {
    "use_after": "统计分析系统；年龄可以是区间。",
    "personal_information": "姓名、身份证号、电话、出生日期、住址、诊断、费用。",
    "protections": ["agreement", "named_people", "access_log"],
    "protection": "监督者每季度检查访问记录。",
    "risk_model": "class_sizes",
    "risk_level": "诊断敏感，样本一万人，接收方受协议约束。",
    "candidates": ["suppression", "generalisation", "k_anonymity"],
    "applicability": "统计用途只需要分组后的年龄和地区。",
}


def factors_of(sharing_type: str, **others: Any) -> dict[str, Any]:
    """The answers with protections that go with the sharing type."""
    fitting = {"protections": ["no_control"]} if sharing_type == "public" else {}
    return FACTORS | fitting | others


def fresh(project: Project) -> Project:
    return Project.objects.get(pk=project.pk)


def fill(project: Project, people: Any, sharing_type: str = "controlled") -> Project:
    """Every part saved, with the defaults of the sharing type."""
    by = people.planner
    services.sharing_choose(
        project, sharing_type=SharingType(sharing_type), irrevocable_understood=True, by=by
    )
    project = fresh(project)
    services.scope_save(project, scope=scope_read(SCOPE), by=by)
    services.factors_save(project, factors=factors_read(factors_of(sharing_type)), by=by)
    services.risk_save(project, risk=risk_defaults(sharing_type), by=by)
    services.utility_save(project, targets=utility_read(utility_defaults(sharing_type)), by=by)
    write_plan(project, people)
    return fresh(project)


def write_plan(project: Project, people: Any, **sections: Any) -> None:
    """The prefilled plan, with ``sections`` put in place of the prefilled ones."""
    draft = plan_prefill(project, objective_of(project))
    draft = {name: text or "待定" for name, text in draft.items()}
    services.plan_save(project, plan=plan_read(draft | sections), by=people.planner)


def submit(project: Project, people: Any) -> Project:
    return project_move(fresh(project), move=Move.SUBMIT_OBJECTIVE, by=people.planner)


def review(project: Project, people: Any) -> Project:
    """The supervisor's stage review passes, and the project moves on to senior management."""
    content = content_of(fresh(project), Stage.OBJECTIVE)
    assert content is not None
    review_record(
        project_id=project.pk,
        stage=Stage.OBJECTIVE,
        subject=content,
        object="目标与实施计划",
        time=timezone.now(),
        process="逐节核对",
        result="齐全",
        measures="无",
        outcome=ReviewOutcome.PASSED,
        submitted_by=people.planner,
        by=people.supervisor,
    )
    return project_move(fresh(project), move=Move.PASS_OBJECTIVE, by=people.supervisor)


def decide(project: Project, people: Any, decision: Decision = Decision.APPROVED) -> Project:
    return services.objective_decide(
        fresh(project), decision=decision, reason="风险与用途相称", by=people.management
    )


def approved(project: Project, people: Any, sharing_type: str = "controlled") -> Project:
    """From the first state to the approved plan: the project stands in IDENTIFICATION."""
    project = fill(project, people, sharing_type)
    submit(project, people)
    review(project, people)
    return decide(project, people)
