"""What the portal wrote in one language is read in another; what a person typed stays as typed."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

import pytest
from django.utils import timezone, translation

from projects.core.sentences import as_read
from projects.objective import services
from projects.objective.enums import Section
from projects.objective.forms import FactorsForm, PlanForm, RiskForm, ScopeForm
from projects.objective.models import RegisterLookup
from projects.objective.plan.prefill import plan_prefill
from projects.objective.presentation import difference_rows, plan_rows, risk_rows
from projects.objective.selectors import objective_of, plan_content, plan_hash
from projects.objective.targets.conditions import OPTIONAL_TARGETS
from projects.objective.targets.reading import factors_read, plan_read, scope_read, utility_read
from projects.objective.targets.register.services import relation_text
from projects.objective.targets.risk import RiskTargets, risk_defaults

from ..steps import FACTORS, SCOPE, fill, fresh

pytestmark = pytest.mark.django_db
LANGUAGES = tuple(permutations(("zh-hans", "en")))
ALL = {
    "l": 3,
    "t": 0.2,
    "beta": 1,
    "alpha": 0.5,
    "at_risk": 0.1,
    "membership": 0.6,
    "presence": 0.2,
    "attacks": 0.1,
}
ALL |= {"intruders": 0.1, "epsilon": 2}
UTILITY = [
    {"kind": "rows_retained", "bound": 0.9},
    {"kind": "suppressed_cells", "bound": 0.1, "columns": ["年龄", "费用"]},
    {"kind": "total_variation", "bound": 0.1, "column": "年龄"},
]


def written(project: Any, language: str) -> dict[str, Any]:
    with translation.override(language):
        return plan_prefill(project, objective_of(project))


def read(text: str, language: str) -> str:
    with translation.override(language):
        return as_read(text)


def without_odds(text: str) -> str:
    """A stored share does not tell exactly how many times that is, so that it is not said of it."""
    return re.sub(r" \((?:one|every) time[^)]*\)", "", text)


def everything(project: Any, people: Any, sharing: str, **kinds: str) -> Any:
    fill(project, people, sharing)
    candidates = [one for one, _label in FactorsForm.base_fields["candidates"].choices]  # type: ignore[attr-defined]
    protections = [one for one, _label in FactorsForm.base_fields["protections"].choices]  # type: ignore[attr-defined]
    given = {"candidates": candidates, "protections": protections}
    services.factors_save(fresh(project), factors=factors_read(FACTORS | given), by=people.planner)
    laws = [one for one, _label in ScopeForm.base_fields["regulations"].choices]  # type: ignore[attr-defined]
    services.scope_save(fresh(project), scope=scope_read(SCOPE | {"regulations": laws}), by=people.planner)
    risk = RiskTargets(**risk_defaults(sharing).model_dump() | ALL | kinds)  # type: ignore[arg-type]
    services.risk_save(fresh(project), risk=risk, by=people.planner)
    services.utility_save(fresh(project), targets=utility_read(UTILITY), by=people.planner)
    return fresh(project)


@pytest.mark.parametrize("sharing", ["public", "controlled", "enclave"])
@pytest.mark.parametrize(("saved", "reader"), LANGUAGES)
def test_every_line_of_a_draft_is_read_in_the_language_of_the_reader(project, people, sharing, saved, reader):
    project = everything(project, people, sharing)
    # Written last: it passes by what is audited.
    for person in vars(people).values():
        person.department = "信息科"
        person.save()
    was, wanted = written(project, saved), written(project, reader)
    for section, text in wanted.items():
        if section != "deadlines":
            assert read(was[section], reader) == without_odds(text), section
            assert read(was[section], saved) == was[section]


@pytest.mark.parametrize("target", [one for one in OPTIONAL_TARGETS if one.kind], ids=lambda one: one.name)
def test_each_way_to_measure_a_condition_is_read_too(project, people, target):
    for kind in target.kinds:
        project = everything(project, people, "controlled", **{target.kind: kind})
        was, wanted = written(project, "zh-hans")["goals"], written(project, "en")["goals"]
        assert read(was, "en") == without_odds(wanted)


@pytest.mark.parametrize(("saved", "reader"), LANGUAGES)
def test_every_sentence_that_a_form_offers_is_read_in_the_language_of_the_reader(saved, reader):
    offered = [
        one
        for form in (ScopeForm, FactorsForm, RiskForm, PlanForm)
        for several in form.offers.values()
        for one in several
    ]
    offered.append(RiskForm.SUGGESTED)
    with translation.override(saved):
        stored = "\n".join([*map(str, offered), "another line, 由人写"])
    with translation.override(reader):
        assert as_read(stored) == "\n".join([*map(str, offered), "another line, 由人写"])
    assert read(stored, saved) == stored


@pytest.mark.parametrize(("saved", "reader"), LANGUAGES)
def test_what_the_register_claim_state_earlier_releases_is_read_too(saved, reader, settings, project):
    rows = [
        {"number": "P-2026-001", "title": "费用：第一批", "is_hidden": False, "by": ["file", "columns"]},
        {"number": "•1", "title": "", "is_hidden": True, "by": ["source"]},
    ]
    found = [one | {"releases": 1, "is_live": True} for one in rows]
    lookup = RegisterLookup(project=project, asked={}, found=found, looked_up_at=timezone.now())
    settings.LANGUAGE_CODE = saved
    was = relation_text(lookup)
    settings.LANGUAGE_CODE = reader
    assert read(f"{was}\nand one more", reader) == f"{relation_text(lookup)}\nand one more"
    assert read(was, saved) == was


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "最小等价类要大一些",
        "每一阶段都在到期日前完成。由张三负责。",
        "  1. Identify",
        "负责人：张三",
        "De-identification is required by: our own rules.",
        "2. Process them with a recipe, every version of which is kept. Candidates: magic.",
        "第一行\n\n第二行",
    ],
)
def test_what_a_person_typed_stays_as_typed(typed):
    assert read(typed, "en") == read(typed, "zh-hans") == typed


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (
            "最小等价类（k） ≥ 5: 每个人都至少隐藏在5个在他人看来相同的人之中。",
            "Smallest equivalence class (k) ≥ 5: Everyone is hidden in a group of at least 5 people who look the same to others.",
        ),
        (
            "总体风险阈值 ≤ 0.05: 数据风险乘以重标识尝试的概率：至多为20分之一。",
            "Overall risk threshold ≤ 0.05: Risk of the data multiplied by the probability of an attempt: at most 1 in 20.",
        ),
        ("执行者: 赵执行 (信息中心)、王五", "Executor: 赵执行 (信息中心), 王五"),
    ],
)
def test_what_a_former_portal_wrote_is_read_too(stored, said):
    assert read(stored, "en") == said
    assert read(stored, "zh-hans") == stored


def test_what_is_stored_and_its_hash_stay(project, people):
    project = everything(project, people, "controlled")
    plan = written(project, "zh-hans") | {"team": "规划管理者与信息科。", "preparation": None}
    services.plan_save(fresh(project), plan=plan_read(plan), by=people.planner)
    project, before = fresh(project), plan_hash(fresh(project))
    with translation.override("en"):
        rows = {row["key"]: row["value"] for row in plan_rows(objective_of(project).plan)}
        assert plan_hash(project) == before
        assert plan_content(project)["plan"]["goals"] == plan["goals"]
    wanted = written(project, "en")
    for section in (Section.GOALS, Section.SCHEME, Section.CONTINGENCY, Section.SCHEDULE):
        with translation.override("en"):
            assert rows[str(section.label)] == without_odds(wanted[section.value])
    with translation.override("en"):
        assert rows[str(Section.TEAM.label)] == plan["team"]


def test_a_version_in_another_language_differs_as_it_is_stored(project, people):
    project = everything(project, people, "controlled")
    services.plan_save(project, plan=plan_read(written(project, "zh-hans")), by=people.planner)
    one = plan_content(fresh(project))
    services.plan_save(fresh(project), plan=plan_read(written(project, "en")), by=people.planner)
    two = plan_content(fresh(project))
    with translation.override("en"):
        found = difference_rows(one, two)
        again = difference_rows(one, one | {"plan": one["plan"] | {"schedule": "明年完成。"}})
    assert found
    assert all(before != after for _label, before, after in found)
    [(_label, before, after)] = again
    assert before.startswith("Each stage is completed")
    assert after == "明年完成。"


def test_the_reason_of_a_risk_is_read_in_the_language_of_the_reader():
    with translation.override("zh-hans"):
        risk = risk_defaults("controlled").model_copy(update={"why": str(RiskForm.SUGGESTED)})
    with translation.override("en"):
        [row] = [row for row in risk_rows(risk, "controlled") if row["key"] == "overall_threshold"]
        assert row["why"] == str(RiskForm.SUGGESTED)
