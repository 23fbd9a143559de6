"""How the demo's projects come about: through the services that a person's clicks call, and nothing else.

:class:`Story` carries one data set from its objective to a fetched release; the demo stops it at each
stage once. The functional tests use it to reach any state.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from approvals.countries import HERE
from approvals.decisions.models import Decision, ReviewOutcome
from deid_portal.accounts.models import User
from projects.core.assessments.services import assessment_order
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.services import member_add, project_create, project_move
from projects.datasets.services import dataset_confirm, dataset_upload
from projects.datasets.store.store import store_write
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.identification.enums import ColumnRole
from projects.identification.persons.selectors import candidates_of
from projects.identification.persons.services import person_key_decide
from projects.identification.selectors import columns_without_verdict, current_round
from projects.identification.services import Given, scan_start, suggestions_accept, verdicts_give
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.monitoring.enums import ChangeKind, ReassessmentOutcome
from projects.monitoring.models import Reassessment
from projects.monitoring.services import change_report, reassessment_conclude, stage_review_record
from projects.objective import services as objective
from projects.objective.notice.files import PURPOSE
from projects.objective.notice.services import notice_keep
from projects.objective.plan.need.content import Need
from projects.objective.plan.need.services import need_answer, need_raise
from projects.objective.plan.prefill import plan_prefill
from projects.objective.selectors import objective_of, risk_targets
from projects.objective.targets.content import Factors, Plan, Preparation, Scope
from projects.objective.targets.risk import RiskTargets
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.services import run_start
from projects.releases import services as releases
from projects.releases.agreements.changes.services import change_decide, terms_accept
from projects.releases.agreements.terms import SCAN_PURPOSE
from projects.releases.agreements.views import agreement_or_change
from projects.releases.enums import CheckInterval
from projects.releases.models import RecipientChange
from projects.releases.selectors import agreement_with, current_release
from projects.verification.services import release_decide, verification_start
from projects.verification.sign_off.related import related_of
from projects.workflow import Move, Role, State
from techniques.data_utility.targets import parse

from .purposes import REGION, Purpose
from .sources import OUTPATIENT

REVIEW_TEXTS = {
    State.OBJECTIVE_REVIEW: ("范围、目标与实施计划书", "目标与共享类型相称，九个部分齐全。"),
    State.IDENTIFICATION_REVIEW: (
        "标识识别报告与各列判定",
        "查表、规则、人工三种方法齐备，逐行扫描覆盖率百分之百。",
    ),
    State.PROCESSING_REVIEW: ("处理方案与运行记录", "直接标识符均已去除或假名化，准标识符按方案泛化。"),
    State.VERIFICATION_REVIEW: ("验证结果与达标检查", "各项指标均在目标之内，测量对象为写出的结果文件。"),
}
SCOPE = Scope.model_validate(OUTPATIENT.scope() | {
    "regulations": ["pipl", "gbt_35273", "gbt_39725"],
    "laws": REGION.laws,
    "classification": "sensitive",
    "promise": "promised",
    "use": REGION.use,
    "use_risk": "medium",
    "relation": "未曾对外提供过同一来源的数据。",
})  # fmt: skip
FACTORS = Factors.model_validate(
    OUTPATIENT.factors()
    | {
        "use_after": REGION.use_after,
        "protections": ["agreement", "named_people", "access_log", "encrypted", "expiry"],
        "protection": "签订数据使用协议，由指定人员在期限内使用，到期销毁。",
        "risk_model": "class_sizes",
        "risk_level": "受控公开共享采用严格平均风险，最小等价类不少于目标 k 值。",
        "candidates": ["suppression", "pseudonymisation", "generalisation", "k_anonymity"],
        "applicability": "数据为分类与日期属性，需保持记录真实，故采用泛化、抑制与 K-匿名，不采用随机化。",
    }
)

# What a scanner made of the signed agreement, as far as the portal looks at it.
SCAN = b"%PDF-1.7\n%% \xe5\xb7\xb2\xe7\xad\xbe\xe7\xbd\xb2\n%%EOF\n"
UTILITY = OUTPATIENT.utility
RELATED_ACCEPTED = "已阅知关联发布的测量情况；协议禁止关联其他数据，予以接受。"
# Too few patients for five quasi-identifiers: of these, only the purpose's most needed ones stay.
FEW_ROWS = 20_000
DISPENSABLE = OUTPATIENT.dispensable
# Of so few the patients are too few for classes by gender as well.
FEWEST_ROWS = 800


# What a planning manager says of a source whose every column has one form.
UNPREPARED = Preparation(steps=[], explanation=OUTPATIENT.unprepared())


class Story:
    """One project with its team, carried forward step by step."""

    sharing = SharingType.CONTROLLED
    fetch_approval = False

    def __init__(
        self,
        people: Mapping[str, User],
        title: str,
        data: bytes,
        *,
        file_name: str = "",
        documents: bool = True,
        notice: tuple[str, bytes] | None = None,
        purpose: Purpose = REGION,
        preparation: Preparation | None = None,
        need: Need | None = None,
    ) -> None:
        self.people, self.title, self.data = people, title, data
        self.file_name = file_name or purpose.source.file_name
        self.documents = documents
        self.notice, self.purpose, self.preparation, self.need = notice, purpose, preparation, need
        self.project: Project

    def reach(self, state: State) -> Project:
        """Carry the project from nothing to ``state`` by the straight way."""
        steps: list[tuple[State, Callable[[], None]]] = [
            (State.OBJECTIVE_DRAFT, self.open),
            (State.OBJECTIVE_REVIEW, self.determine_target),
            (State.PLAN_APPROVAL, self.review),
            (State.IDENTIFICATION, self.approve_plan),
            (State.IDENTIFICATION_REVIEW, self.identify),
            (State.PROCESSING, self.review),
            (State.PROCESSING_REVIEW, self.process),
            (State.VERIFICATION, self.review),
            (State.VERIFICATION_REVIEW, self.verify),
            (State.RELEASE_APPROVAL, self.review),
            (State.APPROVED, self.approve_release),
            (State.MONITORING, self.release),
            (State.CLOSED, self.close),
        ]
        for reached, step in steps:
            step()
            self.project.refresh_from_db()
            assert self.project.state == reached, (self.project.state, reached)
            if reached == state:
                return self.project
        raise ValueError(f"{state} is not on the straight way")

    def open(self) -> None:
        planner = self.people["planner"]
        self.project = project_create(title=self.title, summary=self.purpose.summary_text, by=planner)
        for role in (Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT, Role.RECIPIENT):
            member_add(self.project, user=self.people[role.value], role=role, by=planner)
        assessor = self.people.get("assessor")
        if assessor is not None and assessor.access_until is not None:
            assessment_order(
                self.project,
                assessor=assessor,
                covers="按GB/T 37964—2019的四个步骤，评估过程记录和结果验证。",
                until=assessor.access_until,
                by=self.people["supervisor"],
            )

    def raise_need(self, need: Need) -> None:
        need_raise(self.project, need=need, by=self.people["executor"])

    def determine_target(self) -> None:
        planner = self.people["planner"]
        if self.need is not None:
            self.raise_need(self.need)
            need_answer(
                self.project,
                number=1,
                accept=True,
                reason="用途属于本院职责范围，汇总表不能满足建模需要，同意按最少够用提供。",
                by=planner,
            )
        public = self.sharing is SharingType.PUBLIC
        objective.sharing_choose(
            self.project, sharing_type=self.sharing, irrevocable_understood=public, by=planner
        )
        self.project.refresh_from_db()
        scope = SCOPE.model_copy(update=self.purpose.scope())
        objective.scope_save(self.project, scope=scope, by=planner)
        if self.notice:
            name, content = self.notice
            with store_write(PURPOSE) as writer:
                writer.write(content)
            notice_keep(self.project, stored=writer.stored, name=name, by=planner)
        factors = FACTORS.model_copy(update=self.purpose.factors())
        if self.sharing is SharingType.PUBLIC:
            factors = factors.model_copy(update={"protections": ["no_control"]})
        objective.factors_save(self.project, factors=factors, by=planner)
        objective.risk_save(self.project, risk=self.risk(), by=planner)
        objective.utility_save(self.project, targets=parse(self.utility()), by=planner)
        sections = plan_prefill(self.project, objective_of(self.project))
        objective.plan_save(self.project, plan=Plan(**sections, preparation=self.preparation), by=planner)
        project_move(self.project, move=Move.SUBMIT_OBJECTIVE, by=planner)
        self.run_jobs()

    def risk(self) -> RiskTargets:
        """The risk targets: what the sharing type suggests."""
        return risk_targets(self.project)

    def utility(self) -> list[dict[str, Any]]:
        """The targets of usefulness: what the purpose needs of the source."""
        return UTILITY if self.purpose.source is OUTPATIENT else self.purpose.source.utility

    def review(self) -> None:
        """The supervisor passes the stage that is under review."""
        what, result = REVIEW_TEXTS[State(self.project.state)]
        stage_review_record(
            self.project,
            object=what,
            time=timezone.now(),
            process="逐项核对文档与系统记录，抽查依据。",
            result=result,
            measures="无需整改；按计划进入下一步。",
            outcome=ReviewOutcome.PASSED,
            by=self.people["supervisor"],
        )
        self.run_jobs()

    def approve_plan(self) -> None:
        objective.objective_decide(
            self.project,
            decision=Decision.APPROVED,
            reason="目标与用途相称，同意实施。",
            by=self.people["management"],
        )
        self.run_jobs()

    def identify(self) -> None:
        self.upload()
        self.scan()
        self.judge()
        project_move(self.project, move=Move.SUBMIT_IDENTIFICATION, by=self.people["executor"])
        self.run_jobs()

    def upload(self) -> None:
        executor = self.people["executor"]
        dataset_upload(
            first_table(self.project), content=io.BytesIO(self.data), name=self.file_name, by=executor
        )
        self.run_jobs()
        dataset = dataset_now(first_table(self.project))
        assert dataset is not None
        dataset_confirm(dataset, by=executor)
        self.run_jobs()

    def scan(self) -> None:
        scan_start(first_table(self.project), by=self.people["executor"])
        self.run_jobs()

    def judge(self) -> None:
        """Accept what is sure, then judge the rest: a column that hides identifiers is one itself. Then say whose rows they
        are: a patient has one record number and as many rows as visits."""
        executor, round_ = self.people["executor"], current_round(self.project)
        assert round_ is not None
        suggestions_accept(round_, reason="与查表和规则结果一致", by=executor)
        source = self.purpose.source
        direct = (ColumnRole.DIRECT, "")
        rest = [
            Given(
                column,
                *source.verdicts.get(column, direct),
                "人工分析：结合业务含义、取值分布与可公开获得的外部信息判定，详见数据字典与本轮扫描结果。",
            )
            for column in columns_without_verdict(first_table(self.project))
        ]
        verdicts_give(round_, rest, by=executor)
        # An address is found to be a direct identifier; its region is what the purpose needs.
        verdicts_give(
            round_,
            [
                Given(
                    "住址",
                    ColumnRole.QUASI,
                    "address",
                    "研究需要地区分布，故住址按准标识符处理，保留到哪一级行政区划由目标决定。",
                )
            ],
            by=executor,
        )

        person = (source.person,)
        if any(one.columns == person for one in candidates_of(round_)):
            person_key_decide(round_, person, reason=source.same_person, by=executor)

    def process(self) -> None:
        self.write_recipe()
        run_start(self.project, by=self.people["executor"])
        self.run_jobs()
        project_move(self.project, move=Move.SUBMIT_PROCESSING, by=self.people["executor"])
        self.run_jobs()

    def write_recipe(self) -> None:
        content = recipe_suggest(first_table(self.project))
        dataset = dataset_now(first_table(self.project))
        if dataset is not None and (dataset.rows or 0) < FEW_ROWS:
            gone = self.purpose.source.dispensable
            if (dataset.rows or 0) < FEWEST_ROWS:
                gone = (*gone, "性别")
            content = without_dispensable(content, gone)
        if self.purpose.k is not None:
            settings = model_of(content)["parameters"]
            settings["k"] = self.purpose.k
            settings.pop("average_risk", None)
        recipe_save(
            first_table(self.project),
            content=content,
            note=self.purpose.note,
            by=self.people["executor"],
        )

    def verify(self) -> None:
        verification_start(self.project, by=self.people["executor"])
        self.run_jobs()
        project_move(self.project, move=Move.SUBMIT_VERIFICATION, by=self.people["executor"])
        self.run_jobs()

    def approve_release(self) -> None:
        related = related_of(self.project)
        release_decide(
            self.project,
            decision=Decision.APPROVED,
            reason="风险与有用性均达到既定目标，各阶段监控审查记录齐全，同意提供。",
            related_acceptance=RELATED_ACCEPTED if related and not related.is_settled else "",
            by=self.people["management"],
        )
        self.run_jobs()

    def sign_agreement(self) -> None:
        """Recorded with its scan; of a recipient whom senior management has not signed, proposed and approved."""
        today, recipient = timezone.localdate(), self.people["recipient"]
        with store_write(SCAN_PURPOSE) as writer:
            writer.write(SCAN)
        said = {
            "recipient": recipient,
            "organisation": recipient.department or "–",
            "purpose": self.purpose.agreed_text,
            "prohibits_reidentification": True,
            "prohibits_linkage": True,
            "prohibits_onward_sharing": True,
            "signed_by": recipient.full_name,
            "signed_on": today,
            "valid_until": today + timedelta(days=365),
            "check_months": None if self.sharing == SharingType.ENCLAVE else CheckInterval.YEAR,
            "country": HERE,
            "fetch_approval": self.fetch_approval if self.sharing == SharingType.CONTROLLED else None,
        }
        made = agreement_or_change(self.project, said, writer.stored, by=self.people["planner"])
        if isinstance(made, RecipientChange):
            change_decide(
                made,
                approve=True,
                reason="接收方与用途在计划之内，同意增加。",
                seen_hash=made.content_hash,
                by=self.people["management"],
            )

    def accept_terms(self) -> None:
        """The recipient accepts the terms, if they have not yet."""
        agreement = agreement_with(self.people["recipient"], self.project)
        if agreement is not None and not agreement.is_accepted:
            terms_accept(agreement, confirmed=True, by=self.people["recipient"])

    def release(self) -> None:
        self.sign_agreement()
        releases.release_create(self.project, by=self.people["planner"])
        self.run_jobs()
        self.accept_terms()

    def fetch(self) -> bytes:
        """The recipient reads the notice, has the seal verified, and fetches the file."""
        release = current_release(self.project)
        assert release is not None
        delivery, _job = releases.delivery_request(release, notice_read=True, by=self.people["recipient"])
        self.run_jobs()
        delivery.refresh_from_db()
        pieces, _delivery = releases.delivery_open(delivery, by=self.people["recipient"])
        return b"".join(pieces)

    def look_back(self) -> None:
        """A change is reported; the supervisor finds the risk still acceptable."""
        reassessment = change_report(
            self.project,
            kind=ChangeKind.RECIPIENT,
            description="接收方课题组新增一名研究人员。",
            happened_on=timezone.localdate(),
            by=self.people["planner"],
        )
        self.run_jobs()
        reassessment = Reassessment.objects.get(pk=reassessment.pk)
        reassessment_conclude(
            reassessment,
            outcome=ReassessmentOutcome.KEEP,
            finding="新增人员已签署保密协议，重新测量的风险未变，维持提供。",
            by=self.people["supervisor"],
        )
        self.run_jobs()

    def run_jobs(self) -> None:
        run_jobs(documents=self.documents)

    def close(self) -> None:
        release = current_release(self.project)
        assert release is not None
        releases.release_end(release, why="课题结束，接收方已销毁数据。", by=self.people["planner"])
        project_move(self.project, move=Move.CLOSE, by=self.people["planner"], reason="课题结束")
        self.run_jobs()


def model_of(content: dict[str, Any]) -> dict[str, Any]:
    """The recipe's step that keeps a condition of privacy."""
    return next(step for step in content["steps"] if step["technique"].startswith("model."))


def without_dispensable(content: dict[str, Any], gone: Sequence[str] = DISPENSABLE) -> dict[str, Any]:
    """The suggested recipe with some quasi-identifiers removed instead of generalised."""
    steps = content["steps"]
    removal = next(step for step in steps if step["technique"] == "suppression.remove_column")
    model = model_of(content)
    for column in gone:
        if column in model["columns"]:
            model["columns"].remove(column)
            model["parameters"]["hierarchies"].pop(column)
            model["parameters"]["maximum_levels"].pop(column, None)
            removal["columns"].append(column)
    return content


def run_jobs(*, documents: bool = True) -> None:
    """Do every waiting job here and now, as the worker would; a failed one is an error of the story.

    Without ``documents`` the PDFs stay in the queue for the worker, which has more time.
    """
    waiting = Job.objects.filter(status=JobStatus.QUEUED).order_by("created_at")
    if not documents:
        waiting = waiting.exclude(kind__endswith="_pdf")
    while job := waiting.first():
        job_run(job.pk)
        job.refresh_from_db()
        if job.status != JobStatus.SUCCEEDED:
            raise RuntimeError(f"{job.kind}: {job.status} {job.error_code} {job.error_text}")


def csv_bytes(rows: int) -> bytes:
    """The outpatient visits as a GB18030 file."""
    return OUTPATIENT.csv(rows)
