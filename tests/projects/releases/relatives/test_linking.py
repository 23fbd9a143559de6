"""Rows of one result that hang together: it fires where courses, a family key and a date tell, and is quiet where none does (D.3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.persons.services import person_key_decide
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdicts_give
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from projects.releases.relatives.presentation import overview, summary
from projects.releases.relatives.report import Changed, findings_of
from projects.workflow import State
from tests.projects.datasets.tables.stories import HASH, KEPT, step
from tests.projects.processing.conftest import UNPREPARED, SmallStory

from .test_relatives import BACKEND, measured

pytestmark = pytest.mark.django_db
FORMS = {
    "病历号": (ColumnRole.DIRECT, "medical_record"),
    "家庭": (ColumnRole.DIRECT, "medical_record"),
    "性别": (ColumnRole.QUASI, "gender"),
    "科室": (ColumnRole.QUASI, "ethnic_group"),
    "入院日期": (ColumnRole.QUASI, "event_date"),
    "检查日期": (ColumnRole.OTHER, "event_date"),
}


def visits() -> bytes:
    """Sixty persons with three visits: the last goes to another ward and back, eight women are two families, and everybody is examined
    within three days."""
    lines = [",".join(FORMS)]
    for who in range(60):
        family = f"F{who // 4:04}" if who < 8 else f"F{100 + who:04}"
        wards = "内外内" if who == 59 else ("内内内" if who % 2 or who < 8 else "外外外")
        for visit, ward in enumerate(wards):
            day = 1 + (7 * who + visit) % 24
            month = 1 + visit * 4 + who % 4
            lines.append(
                f"BL{who:08},{family},{'女' if who < 8 else '男'},{ward},2024-{month:02}-{day:02},2024-{month:02}-{day + who % 4:02}"
            )
    return "\n".join([*lines, ""]).encode()


class Visits(SmallStory):
    def utility(self):
        return [one for one in super().utility() if not one.get("column")]

    def judge(self) -> None:
        round_ = current_round(self.project)
        given = [
            Given(column, *form, "assessed for this test, see the plan") for column, form in FORMS.items()
        ]
        verdicts_give(round_, given, by=self.people["executor"])
        person_key_decide(
            round_, ("病历号",), reason="a record number is one patient", by=self.people["executor"]
        )

    def run(self, *steps: dict[str, Any]) -> None:
        content = {"recipe": 1, "order": "kept", "steps": list(steps), "unprepared": UNPREPARED}
        recipe_save(first_table(self.project), content=content, note=KEPT, by=self.people["executor"])
        run_start(self.project, by=self.people["executor"])
        self.run_jobs()


def START(people):
    story = Visits(vars(people), "Visits in order", visits(), file_name="visits.csv", documents=False)
    story.reach(State.PROCESSING)
    return story


@pytest.fixture
def story(own_start):
    own_start.story.run(
        {**HASH, "columns": ["病历号", "家庭"]},
        step("generalization.date", ["入院日期"], unit="year"),
        step("as_is", ["性别", "科室", "检查日期"], reason=KEPT),
    )
    return own_start.story


def test_a_result_that_tells_by_its_order_by_families_and_by_dates_is_found(story, client, people):
    with override("en"):
        assert "was not measured" in summary(story.project)["text"]
    (found,) = findings_of(measured(story).findings)
    assert (found.problem, found.kind, found.linkage.persons) == ("", "linked", 60)
    assert found.linkage.new == 1
    assert [(one.column, one.k, one.new) for one in found.linkage.shared] == [("家庭", 2, 8)]
    assert [(one.hidden, one.column, one.least) for one in found.linkage.inferred] == [
        ("入院日期", "检查日期", -3)
    ]
    assert found.is_risky
    with override("en"):
        assert "are related tell more together" in summary(story.project)["text"]
        said = " ".join(overview(story.project, people.planner)["findings"][0]["sentences"])
    assert "1 of 60 persons shares each of their rows" in said
    assert "8 persons are in classes" in said
    assert "0 to 3 days before 检查日期" in said
    assert said.endswith("more than 3 rows in a row, and values that are only near to what is known.")
    with override("zh-hans"):
        assert "未计入" in overview(story.project, people.planner)["findings"][0]["sentences"][-1]
    client.force_login(people.planner, backend=BACKEND)
    rest = client.get(reverse("api:release-relatives", args=[story.project.pk])).json()
    assert [(one["kind"], one["is_risky"], one["releases"]) for one in rest["findings"]] == [
        ("linked", True, [])
    ]
    assert [(one["basis"], one["k"]) for one in rest["findings"]] == [("GB/T 37964-2019 D.3", 5)]
    address = reverse("releases:relatives", args=[story.project.pk])
    shown = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "Related rows of this result" in shown
    assert "GB/T 37964-2019 D.3 · k = 5" in shown
    assert "BL0" not in shown


def test_a_result_without_ward_family_and_dates_to_the_day_is_none(story, people):
    story.run(
        {**HASH, "columns": ["病历号"]},
        step("suppression.remove_column", ["家庭", "科室", "入院日期"]),
        step("generalization.date", ["检查日期"], unit="month"),
        step("as_is", ["性别"], reason=KEPT),
    )
    (found,) = findings_of(measured(story).findings)
    assert (found.problem, found.is_risky, found.linkage.ordered) == ("", False, True)
    assert (found.linkage.shared, found.linkage.inferred) == ((), ())
    with override("en"):
        assert "could not be measured" not in summary(story.project)["text"]
        assert "are related tell more together" not in summary(story.project)["text"]


def test_rows_that_nothing_puts_in_order_are_not_measured_and_said_to_be(story, people):
    story.run(
        {**HASH, "columns": ["病历号"]},
        step("suppression.remove_column", ["家庭", "入院日期", "检查日期"]),
        step("as_is", ["性别", "科室"], reason=KEPT),
    )
    (found,) = findings_of(measured(story).findings)
    assert (found.problem, found.is_risky, found.is_open) == ("", False, True)
    with override("en"):
        assert (
            "related rows of this result reveal together could not be measured"
            in summary(story.project)["text"]
        )
        (row,) = overview(story.project, people.planner)["findings"]
        assert (row["tone"], row["is_measured"], row["word"]) == ("warn", False, "Not measured")


def test_each_combination_names_the_clauses_that_it_is_measured_by(story, people):
    story.run(
        {**HASH, "columns": ["病历号"]},
        step("suppression.remove_column", ["家庭", "入院日期", "检查日期"]),
        step("as_is", ["性别", "科室"], reason=KEPT),
    )
    (found,) = findings_of(measured(story).findings)
    assert found.clause == "D.3"
    together = found.model_copy(
        update={"changed": Changed(columns=("a",), least=5, compared=3, unchanged=3, number=0, found=())}
    )
    assert together.clause == "D.1, D.3"
    (row,) = overview(story.project, people.planner)["findings"]
    assert row["basis"] == "GB/T 37964-2019 D.3"
