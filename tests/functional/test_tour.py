"""Six people carry one file from a new project to a download, by hand, in a portal that really runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from deid_portal.demo.hospital import COLUMNS
from deid_portal.demo.story import (
    FACTORS,
    REVIEW_TEXTS,
    SCAN,
    SCOPE,
    UNPREPARED,
    UTILITY,
    without_dispensable,
)
from projects.workflow import State

from .conftest import Portal
from .person import JOB_MS, Findings, Person, hospital_file, kind_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROWS = 800
ROLES = {"科室": "other", "诊断": "sensitive", "费用": "sensitive", "住址": "quasi", "民族": "quasi",
         "就诊日期": "quasi", "出生日期": "quasi", "性别": "quasi"}  # fmt: skip
KINDS = {"住址": "address", "就诊日期": "event_date", "出生日期": "birth_date", "性别": "gender",
         "民族": "ethnic_group", "诊断": "diagnosis", "费用": "fee", "科室": "department"}  # fmt: skip
WHY = "人工分析：结合业务含义、取值分布与可公开获得的外部信息判定，详见数据字典与本轮扫描结果。"
Of = Callable[[str], Person]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return hospital_file(tmp_path, ROWS)


def test_six_people_from_a_new_project_to_a_download(portal: Portal, browser: Any, data: Path) -> None:
    findings = Findings()
    present: dict[str, Person] = {}

    def of(role: str) -> Person:
        if role not in present:
            present[role] = Person(browser, portal.address, findings)
            present[role].sign_in(*portal.people[role][:2])
        return present[role]

    base = open_project(of, portal)
    determine_target(of("planner"), base)
    assess_impact(of("planner"), of("supervisor"), base)
    review(of("supervisor"), base, State.OBJECTIVE_REVIEW, picture=True)
    approve(of("management"), f"{base}objective/decide/", "目标与用途相称，同意实施。")
    upload(of("executor"), base, data)
    identify(of("executor"), base)
    review(of("supervisor"), base, State.IDENTIFICATION_REVIEW)
    process(of("executor"), base)
    review(of("supervisor"), base, State.PROCESSING_REVIEW)
    verify(of("executor"), base)
    review(of("supervisor"), base, State.VERIFICATION_REVIEW)
    of("management").goto(f"{base}verification/decide/")
    of("management").picture("verification-decide")
    approve(of("management"), f"{base}verification/decide/", "各项指标达标，审查记录齐全，同意提供。")
    release(of("planner"), base)
    fetched = receive(of("recipient"))
    check_result(fetched, data)
    watch(of("supervisor"), base)
    audit(of("auditor"))
    on_phones(of, base)
    for role in (*present, "admin"):
        look_around(of(role), base)
    assert findings.lines() == []
    assert len(findings.kinds()) > 50, sorted(findings.kinds())


def open_project(of: Of, portal: Portal) -> str:
    """The planning manager opens a project and names its team; returns the project's address."""
    planner = of("planner")
    planner.goto("/")
    assert planner.page.get_attribute("html", "lang") == "zh-CN"
    planner.goto("/projects/new/")
    planner.fill(
        title="门诊就诊记录用于区域疾病谱研究", summary="向医学院提供门诊就诊记录，用于区域疾病谱研究。"
    )
    for role in ("executor", "supervisor", "management", "recipient"):
        planner.page.click(f'[data-field="{role}"] label:has-text("{portal.people[role][2]}")')
    planner.fill(sharing_type="controlled")
    planner.picture("open")
    planner.send("title")
    found = re.match(r"/projects/[0-9a-f-]{36}/", planner.path)
    assert found is not None
    base = found[0]
    assert planner.path == f"{base}objective/together/", (
        "with team and sharing type it goes on at what is asked next"
    )
    planner.goto(f"{base}members/")
    planner.picture("members")
    return base


def determine_target(planner: Person, base: str) -> None:
    """Five steps, then the plan goes to the supervisor."""
    planner.goto(f"{base}objective/sharing/")
    planner.fill(sharing_type="controlled")
    planner.send("sharing_type")
    planner.fill(**{k: v for k, v in SCOPE.model_dump(mode="json").items() if v})
    planner.send("laws")
    planner.fill(**{k: v for k, v in FACTORS.model_dump(mode="json").items() if v})
    planner.send("use_after")
    planner.fill(useful=False, why="受控公开共享，接收方受协议约束；本院对外提供的同类数据一贯采用这一目标。")
    planner.send("max_risk")
    for target in UTILITY:
        planner.goto(f"{base}objective/utility/?kind={target['kind']}")
        planner.fill(**{k: v for k, v in target.items() if k != "kind"})
        planner.send("bound")
    planner.goto(f"{base}objective/plan/edit/")
    planner.page.locator("form:has(textarea) button[type=submit] >> nth=0").wait_for()
    planner.fill(preparation_1="none", preparation_explanation=UNPREPARED.explanation)
    planner.press("button[name=then][value=overview]")
    planner.goto(f"{base}objective/")
    planner.picture("objective")
    planner.post("/move/submit_objective/")


def assess_impact(planner: Person, supervisor: Person, base: str) -> None:
    """The planning manager assesses what it means for the people; the supervisor concludes."""
    planner.goto(f"{base}impact/")
    planner.fill(
        lawful="用于区域疾病谱研究，所需字段已减至最少。",
        impact="个人被重标识后，就诊信息可能被知悉。",
        level="medium",
        measures="去标识化、使用协议与接收方环境管控。",
        basis="other_law",
        transfer="inside",
    )
    planner.send("lawful")
    supervisor.goto(f"{base}impact/")
    supervisor.fill(reason="评估充分，措施与风险相称。")
    supervisor.choose("decision", "accept")
    assert "已完成" in supervisor.page.inner_text("main")


def review(supervisor: Person, base: str, state: State, *, picture: bool = False) -> None:
    """The supervisor reads the stage and passes it with the five fields of a review."""
    stage = {
        State.OBJECTIVE_REVIEW: "objective/plan/",
        State.IDENTIFICATION_REVIEW: "identification/report/",
        State.PROCESSING_REVIEW: "processing/report/",
        State.VERIFICATION_REVIEW: "verification/",
    }[state]
    supervisor.goto(base + stage)
    supervisor.goto(f"{base}monitoring/review/")
    what, result = REVIEW_TEXTS[state]
    for tick in supervisor.page.locator('.requirement input[type="checkbox"]').all():
        tick.check()
    supervisor.fill(
        object=what,
        process_chosen="0",
        process="逐项核对文档与系统记录，抽查依据。",
        result=result,
        measures="无需整改；按计划进入下一步。",
    )
    if picture:
        supervisor.picture("review")
    supervisor.choose("outcome", "passed")


def approve(management: Person, address: str, reason: str) -> None:
    management.goto(address)
    management.fill(reason=reason, secret=management.password)
    management.choose("decision", "approved")


def upload(executor: Person, base: str, data: Path) -> None:
    """The file goes in, its format is confirmed; the check of every row and the scan go on by themselves."""
    executor.goto(f"{base}identification/")
    # What is chosen is sent.
    executor.fill(file=str(data))
    executor.wait('form[action$="/confirm/"]')
    assert executor.page.input_value("[name=encoding]") == "gb18030"
    executor.picture("data")
    executor.press("button[name=then][value=scan]")


def identify(executor: Person, base: str) -> None:
    """Look-up and rules over every row, then a verdict about every column."""
    executor.wait("#columns")
    executor.fill(**{"all-reason": "与查表和规则结果一致"})
    executor.press("button[name=what][value=suggestions]")
    executor.picture("identification")
    # An address can single a person out; what the study needs of it is the region, so it is changed here.
    lines = executor.page.eval_on_selector_all(
        "#verdicts [data-role]",
        """fields => fields.map(field => ({
            prefix: field.name.slice(0, -5),
            column: field.closest('tr').querySelector('th').title,
            decided: field.value !== '',
        }))""",
    )
    assert [line["column"] for line in lines if line["column"] not in COLUMNS] == []
    for line in lines:
        prefix, column = line["prefix"], line["column"]
        if not line["decided"] or column == "住址":
            executor.put(f"{prefix}-role", ROLES.get(column, "direct"))
            executor.put(f"{prefix}-kind", KINDS.get(column, ""))
    # One reason for all of them, which the executor gives against what the scan found as well.
    executor.fill(**{"all-reason": WHY, "all-against": True})
    executor.press("#several button:not([name])")
    # The likeliest key of a patient comes first.
    executor.goto(f"{base}identification/persons/")
    executor.fill(key="0", reason="一名患者一个号码，一次就诊一行，按患者计数。")
    executor.choose("then", "submit")


def process(executor: Person, base: str) -> None:
    """The suggested recipe, with the columns removed that so few rows cannot carry; then the run."""
    executor.goto(f"{base}processing/")
    executor.goto(f"{base}processing/recipe/text/")
    content = yaml.safe_load(executor.page.input_value("[name=text]"))
    executor.goto(f"{base}processing/recipe/")
    executor.picture("recipe")
    executor.goto(f"{base}processing/recipe/text/")
    content["unprepared"] = "各列写法统一，无需规范化"
    changed = yaml.safe_dump(without_dispensable(content), allow_unicode=True, sort_keys=False)
    executor.fill(text=changed, note="数据量小，删除住址、民族和就诊日期三列")
    executor.send("text")
    executor.post("/processing/run/")
    executor.wait('form[action$="/move/submit_processing/"]')
    executor.picture("processing")
    executor.post("/move/submit_processing/")


def verify(executor: Person, base: str) -> None:
    executor.goto(f"{base}verification/")
    executor.press('form[action$="/verification/measure/"] button:not([name])')
    executor.wait('form[action$="/move/submit_verification/"]')
    executor.post("/move/submit_verification/")


def release(planner: Person, base: str) -> None:
    """The signed agreement is recorded, and with the same button the seal closes over what was approved."""
    planner.goto(f"{base}release/agreement/")
    planner.fill(
        purpose="区域疾病谱与门诊费用的流行病学研究",
        prohibits_reidentification=True,
        prohibits_linkage=True,
        prohibits_onward_sharing=True,
        signed_by="李研究",
        file={"name": "协议.pdf", "mimeType": "application/pdf", "buffer": SCAN},
    )
    planner.choose("then", "release")
    assert planner.path == f"{base}release/"
    planner.picture("release")


def receive(recipient: Person) -> bytes:
    """The recipient confirms the notice, waits for the seal, and fetches the file."""
    recipient.goto("/receive/")
    recipient.press('main a[href^="/receive/"] >> nth=0')
    recipient.picture("receive")
    recipient.fill(accepted=True, notice_read=True)
    # Asked for once, the file comes by itself when its seal is verified.
    with recipient.page.expect_download(timeout=JOB_MS) as downloading:
        recipient.send("notice_read")
    return Path(downloading.value.path()).read_bytes()


def check_result(fetched: bytes, data: Path) -> None:
    """What the recipient holds: the columns of the recipe, enough rows, and nobody's number."""
    text = fetched.decode("gb18030")
    rows = list(csv.DictReader(io.StringIO(text)))
    source = list(csv.DictReader(io.StringIO(data.read_text("gb18030"))))
    kept = [column for column in COLUMNS if column in rows[0]]
    assert list(rows[0]) == kept
    assert {"性别", "出生日期", "科室", "诊断", "费用"} <= set(kept)
    assert not {"姓名", "身份证号", "手机号", "住址", "民族", "就诊日期", "备注"} & set(kept)
    assert ROWS * 0.9 <= len(rows) <= ROWS
    assert [number for number in {row["身份证号"] for row in source} if number in text] == []
    assert [number for number in {row["手机号"] for row in source} if number and number in text] == []


def watch(supervisor: Person, base: str) -> None:
    """After the release: a change is reported, and a look back falls due."""
    supervisor.goto(f"{base}monitoring/")
    today = supervisor.page.evaluate(
        "new Intl.DateTimeFormat('sv-SE', {timeZone: 'Asia/Shanghai'}).format(new Date())"
    )
    supervisor.fill(description="接收方课题组新增一名研究人员。", happened_on=today)
    supervisor.choose("kind", "recipient")
    assert "/monitoring/reassessments/" in supervisor.path
    supervisor.goto(f"{base}monitoring/")
    assert supervisor.page.locator('main a[href*="/monitoring/reassessments/"]').count() > 0
    supervisor.picture("monitoring")
    supervisor.goto("/monitoring/")


def audit(auditor: Person) -> None:
    """The auditor reads the log and has its chain verified to the end."""
    auditor.goto("/audit/")
    auditor.picture("audit")
    auditor.goto("/audit/verify/")
    auditor.press("main form[method=post] button[type=submit] >> nth=0")
    auditor.wait("#check .verdict")
    assert auditor.page.locator("#check .verdict--ok").count() == 1


def on_phones(of: Of, base: str) -> None:
    """The main pages once more in a narrow window."""
    stages = ("", "objective/", "data/", "identification/", "processing/", "verification/", "release/",
              "monitoring/", "members/", "history/")  # fmt: skip
    of("planner").on_a_phone("/", "/projects/", "/notifications/", *(base + stage for stage in stages))
    of("management").on_a_phone("/", f"{base}verification/decide/", f"{base}objective/decide/")
    of("supervisor").on_a_phone(f"{base}identification/report/", f"{base}processing/report/", "/monitoring/")
    of("recipient").on_a_phone("/receive/")
    of("auditor").on_a_phone("/audit/", "/audit/verify/")


def look_around(person: Person, base: str) -> None:
    """Every page that links lead to and nobody in the story has seen; one of each kind."""
    found = [*person.links(), base]
    person.goto("/")
    found += person.links()
    while found:
        path = found.pop()
        if kind_of(path) not in person.findings.kinds() and person.visit(path):
            found += person.links()
